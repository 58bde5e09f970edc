# Renames files so that none is lost, for renaming.vim.
#
#   perl renaming.pl < CHANGES   renames files. Of each, three lines are read: its inode, or an empty line; its
#                                path; its new path, in the same folder. Two are written: its path now; why it
#                                does not have the new one, or an empty line.
#   perl renaming.pl FOLDER      after a renaming that was killed, gives the files their old or new names, and writes
#                                a line with the name of each.
#
# In a line, a zero byte stands for a line break. No name is given to a file if there is a file of this name, even
# if that was created just now: the system refuses it. Two names are exchanged at once. If that is not possible, and
# in a longer circle, each file is in `.listd-renaming/OLD NAME/NEW NAME` for a moment.

use strict;
use warnings;
use Config;
use Errno 'EEXIST';
use Fcntl ':flock';

my $ROOM = '.listd-renaming';
my ($NOREPLACE, $EXCHANGE) = (1, 2);
my $AT_FDCWD = -100;
# The number of the system call `renameat2`, which Perl has no function for.
my $RENAMEAT2 = $^O ne 'linux' ? 0
    : $Config{archname} =~ /^x86_64-(?!.*x32)/ ? 316
    : $Config{archname} =~ /^(aarch64|riscv64)-/ ? 276 : 0;

sub renameat2 {
    my ($from, $to, $how) = @_;
    return $RENAMEAT2 && syscall($RENAMEAT2, $AT_FDCWD, "$from", $AT_FDCWD, "$to", $how) == 0;
}

# Gives a file a name that is free. Returns whether it has it; `$!` says why not.
sub move {
    my ($from, $to) = @_;
    return 1 if renameat2($from, $to, $NOREPLACE);
    # Without this call: a file has both names for a moment. A folder cannot, but replaces no more than an empty one.
    lstat $from or return 0;
    if (-d _) {
        $! = EEXIST;
        return !lstat($to) && rename $from, $to;
    }
    (-l _ ? symlink readlink $from, $to : link $from, $to) or return 0;
    return 1 if unlink $from;
    my $error = $!;
    unlink $to;
    $! = $error;
    return 0;
}

# Whether two names are of one file: it has both, or the disk ignores case.
sub is_same {
    my @first = lstat $_[0] or return 0;
    my @second = lstat $_[1] or return 0;
    return "@first[0, 1]" eq "@second[0, 1]";
}

# Whether a file has one name alone.
sub is_single {
    my @found = lstat $_[0];
    return -d _ || $found[3] == 1;
}

# Whether a file has been given a name and still has the other one.
sub is_halfway {
    my ($from, $to) = @_;
    return is_same($from, $to) || -l $from && -l $to && readlink $from eq readlink $to;
}

# Moves the file of a change; a failure is its problem.
sub place {
    my ($change, $to) = @_;
    my $is_done = move($change->{path}, $to);
    my $problem = $!{EEXIST} ? 'there is a file of this name' : lcfirst "$!";
    if ($is_done || is_same($change->{path}, $to) && is_single($to) && rename $change->{path}, $to) {
        $change->{path} = $to;
        return 1;
    }
    $change->{problem} ||= $problem;
    return 0;
}

sub divide {
    return $_[0] =~ m{^(.*/)?(.*)$}s;
}

# Empties the room of a folder: files get their new names, or else their old ones, or the other way round.
sub leave {
    my ($room, $finish, @parked) = @_;
    for my $change (@parked) {
        my ($first, $second) = $finish ? qw(to from) : qw(from to);
        place($change, $change->{$first}) || place($change, $change->{$second})
            or $change->{problem} .= "; the file is now $change->{path}";
        rmdir "$room/" . (divide($change->{from}))[1];
    }
    rmdir $room;
}

# Renames files in a circle.
sub rotate {
    my @circle = @_;
    if (@circle == 2 && renameat2($circle[0]{path}, $circle[1]{path}, $EXCHANGE)) {
        $_->{path} = $_->{to} for @circle;
        return;
    }
    my $room = (divide($circle[0]{path}))[0] . $ROOM;
    my $lock;
    do {
        mkdir $room;
        if (!open($lock, '<', $room)) {
            $_->{problem} = lcfirst "$!" for @circle;
            return;
        }
        flock $lock, LOCK_EX;  # when another process has left it, it may be deleted
    } until (stat $lock)[1] == ((lstat $room)[1] // 0);
    my @parked;
    for my $change (@circle) {
        my $own = "$room/" . (divide($change->{from}))[1];
        mkdir $own;
        last unless place($change, "$own/" . (divide($change->{to}))[1]);
        push @parked, $change;
    }
    my ($failed) = grep { $_->{problem} } @circle;
    if ($failed) {
        $_->{problem} ||= $failed->{problem} for @circle;
        rmdir "$room/" . (divide($failed->{from}))[1];
    }
    leave($room, !$failed, @parked);
}

sub rename_all {
    my @changes = @_;
    my %by_path;
    for my $change (@changes) {
        my @found = lstat $change->{path};
        if (!@found || $change->{inode} ne '' && $change->{inode} ne $found[1]) {
            $change->{problem} = 'the file was moved or deleted';
        } elsif ($change->{from} ne $change->{to}) {
            $by_path{$change->{from}} = $change;
        }
    }
    for my $first (@changes) {
        # First come the files that have the names that others get.
        my @chain;
        for (my $next = $by_path{$first->{from}}; $next; $next = $by_path{$next->{to}}) {
            delete $by_path{$next->{from}};
            unshift @chain, $next;
        }
        if (@chain > 1 && $chain[0]{to} eq $first->{from}) {
            rotate(@chain);
        } else {
            place($_, $_->{to}) for @chain;
        }
    }
}

# The entries of a folder.
sub entries {
    opendir my $folder, $_[0] or return;
    return grep { !/^\.\.?$/ } readdir $folder;
}

sub restore {
    my ($dir) = @_;
    my $room = "$dir/$ROOM";
    open my $lock, '<', $room or return;
    return if !flock($lock, LOCK_EX | LOCK_NB) && $!{EWOULDBLOCK};  # it is in use
    my @parked;
    for my $old (entries($room)) {
        for my $new (entries("$room/$old")) {
            my $change = {path => "$room/$old/$new", from => "$dir/$old", to => "$dir/$new"};
            if (is_halfway($change->{path}, $change->{from}) || is_halfway($change->{path}, $change->{to})) {
                unlink $change->{path};
            } else {
                push @parked, $change;
            }
        }
        rmdir "$room/$old";
    }
    rmdir $room;
    # As long as no file has its new name, all old ones are free; afterwards all new ones are.
    leave($room, scalar(grep { lstat $_->{from} } @parked), @parked);
    return map { substr $_->{path}, 1 + length $dir } @parked;
}

sub show {
    for my $line (@_) {
        print $line =~ tr/\n/\0/r, "\n";
    }
}

if (@ARGV) {
    show(restore($ARGV[0]));
} else {
    chomp(my @lines = <STDIN>);
    tr/\0/\n/ for @lines;
    my @changes;
    while (my ($inode, $path, $to) = splice @lines, 0, 3) {
        push @changes, {inode => $inode, path => $path, from => $path, to => $to, problem => ''};
    }
    rename_all(@changes);
    show($_->{path}, $_->{problem}) for @changes;
}
