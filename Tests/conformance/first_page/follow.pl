#!/usr/bin/env perl
# A client of listd that is written from the first page of protocol.md alone.
#
#     follow.pl PROGRAM [ARGUMENT…]
#
# It reads requests, each a line with a method and its params, and prints what it holds of each list
# when the reply has arrived, with the reply: {"reply": {…}, "held": {"LIST": {…}}}.

use strict;
use warnings;
use IPC::Open2;
use JSON::PP;

my $json = JSON::PP->new->utf8->allow_nonref;
my %held;
my $last_id = 0;
my $listd = open2(my $from, my $to, @ARGV);
$| = 1;

sub nothing { return { sections => [], revision => 0, selection => [], cursor => undef } }

sub state_of { my ($list) = @_; return $held{$list} //= nothing() }

sub hold { my ($state, $message, @names) = @_; $state->{$_} = $message->{$_} for @names }

# A section of a snapshot, with the rows of its items.
sub with_rows {
    my ($section) = @_;
    my @rows;
    for my $item (@{ $section->{items} }) {
        if (ref $item eq 'HASH' && exists $item->{parts}) {
            my %rest = %$item;
            delete $rest{parts};
            push @rows, map { { '$part' => $_, '$item' => {%rest} } } @{ $item->{parts} };
        } else {
            push @rows, $item;
        }
    }
    return { %$section, items => \@rows };
}

sub places {
    my ($at, $count) = @_;
    return map { ref $at ? [$at->[0], $at->[1] + $_] : $at + $_ } 0 .. $count - 1;
}

sub by_section { return $a->[0] <=> $b->[0] }

sub by_row { return $a->[0][0] <=> $b->[0][0] || $a->[0][1] <=> $b->[0][1] }

sub apply {
    my ($sections, $stage) = @_;
    my (@rows_out, @sections_out, @rows_in, @sections_in);
    for my $op (@$stage) {
        my $of_sections = $op->{op} =~ /Sections$/;
        my $content = $op->{ $of_sections ? 'sections' : 'items' };
        my @start = places($op->{from} // $op->{at}, $op->{count});
        my @end = exists $op->{to} ? places($op->{to}, $op->{count}) : ();
        for my $k (0 .. $op->{count} - 1) {
            my $place = $start[$k];
            if ($op->{op} =~ /^insert/) {
                push @{ $of_sections ? \@sections_in : \@rows_in }, [$place, $content->[$k]];
            } elsif ($op->{op} =~ /^re/ && $of_sections) {
                $sections->[$place] = { %{ $content->[$k] }, items => $sections->[$place]{items} };
            } elsif ($op->{op} =~ /^re/) {
                $sections->[ $place->[0] ]{items}[ $place->[1] ] = $content->[$k];
            } else {
                push @{ $of_sections ? \@sections_out : \@rows_out }, [$place, $end[$k]];
            }
        }
    }
    for my $move (reverse sort by_row @rows_out) {
        my ($place, $target) = @$move;
        my ($row) = splice @{ $sections->[ $place->[0] ]{items} }, $place->[1], 1;
        push @rows_in, [$target, $row] if defined $target;
    }
    for my $move (reverse sort by_section @sections_out) {
        my ($place, $target) = @$move;
        my ($section) = splice @$sections, $place, 1;
        push @sections_in, [$target, $section] if defined $target;
    }
    splice @$sections, $_->[0], 0, $_->[1] for sort by_section @sections_in;
    splice @{ $sections->[ $_->[0][0] ]{items} }, $_->[0][1], 0, $_->[1] for sort by_row @rows_in;
    return;
}

sub receive {
    my ($method, $message) = @_;
    my $state = state_of($message->{list});
    if ($method eq 'didChange') {
        if ($message->{reload} || $message->{baseRevision} != $state->{revision}) {
            enqueue('subscribe', { list => $message->{list} });
            return;
        }
        apply($state->{sections}, $_) for @{ $message->{stages} };
        hold($state, $message, qw(revision selection cursor));
    } elsif ($method eq 'didSelect') {
        hold($state, $message, qw(selection cursor));
    } elsif ($method eq 'didRemove') {
        $held{ $message->{list} } = nothing();
    }
    return;
}

sub enqueue {
    my ($method, $params) = @_;
    my $request = { jsonrpc => '2.0', id => ++$last_id, method => $method, params => $params };
    print {$to} $json->encode($request), "\n";
    $to->flush;
    return $last_id;
}

# Sends a request, and returns its reply when all requests are answered.
sub ask {
    my ($method, $params) = @_;
    my $id = enqueue($method, $params);
    my ($answered, $reply) = ($id - 1, undef);
    while ($answered < $last_id) {
        my $message = $json->decode(scalar <$from>);
        if (exists $message->{method}) {
            receive($message->{method}, $message->{params});
            next;
        }
        $answered = $message->{id};
        $reply = $message if $answered == $id;
        my $result = $message->{result};
        if (ref $result eq 'HASH' && exists $result->{snapshot}) {
            my $state = state_of($result->{list});
            $state->{sections} = [map { with_rows($_) } @{ $result->{snapshot}{sections} }];
            hold($state, $result, qw(revision selection cursor));
        }
    }
    return $reply;
}

while (defined(my $line = <STDIN>)) {
    my ($method, $params) = split / /, $line, 2;
    my $reply = ask($method, $json->decode($params));
    print $json->encode({ reply => $reply, held => \%held }), "\n";
}
close $to;
waitpid $listd, 0;
exit $? >> 8;
