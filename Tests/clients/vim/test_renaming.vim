vim9script
# Renaming files: none is lost, whatever other programs do and whenever the renaming is killed.

import './harness.vim' as t
import autoload 'listd/renaming.vim'

# Renames files of a folder by pairs of names; returns the problems by old names.
def Rename(dir: string, pairs: list<list<string>>): dict<string>
  var changes: list<dict<any>> = pairs->mapnew((_, pair) => ({path: $'{dir}/{pair[0]}', name: pair[1], was: pair[0]}))
  renaming.Files(changes)
  var problems: dict<string> = {}
  for change in changes
    if has_key(change, 'problem')
      problems[change.was] = change.problem
    endif
  endfor
  return problems
enddef

t.Test('renaming: swaps, circles, chains, folders and their files', () => {
  var dir = t.Files(['a', 'b', 'c', 'd', 'e', 'f', 'sub/x', 'sub/y'])
  assert_equal({}, Rename(dir, [['a', 'b'], ['b', 'a'], ['c', 'd'], ['d', 'e'], ['e', 'c'], ['f', 'g'],
    ['sub', 'lower'], ['sub/x', 'y'], ['sub/y', 'x']]))
  assert_equal(['a', 'b', 'c', 'd', 'e', 'g', 'lower'], t.Names(dir))
  assert_equal(['x', 'y'], t.Names(dir .. '/lower'))
  for [now, was] in items({a: 'b', b: 'a', d: 'c', e: 'd', c: 'e', g: 'f', 'lower/y': 'sub/x'})
    assert_equal(was, t.Content($'{dir}/{now}'))
  endfor
})

t.Test('renaming: what fails changes nothing, and says why', () => {
  var dir = t.Files(['a', 'b', 'c', 'd', 'e', 'other'])
  assert_equal({a: 'there is a file of this name', b: 'there is a file of this name', c: 'a name cannot be empty',
    d: 'a name cannot contain /', e: 'file name too long', gone: 'the file was moved or deleted'},
    Rename(dir, [['a', 'other'], ['b', 'a'], ['c', ''], ['d', 'x/y'], ['e', repeat('x', 300)], ['gone', 'there']]))
  assert_equal({a: 'two lines have this name', b: 'two lines have this name', c: '.. is not a name of a file'},
    Rename(dir, [['a', 'z'], ['b', 'z'], ['c', '..']]))
  assert_equal(['a', 'b', 'c', 'd', 'e', 'other'], t.Names(dir))
  for name in t.Names(dir)
    assert_equal(name, t.Content($'{dir}/{name}'))
  endfor
  # Another file has the path by now.
  var inode = system($'ls -i {dir}/b')->matchstr('\d\+')
  var changes: list<dict<any>> = [{path: dir .. '/a', name: 'new', inode: inode}]
  renaming.Files(changes)
  assert_equal('the file was moved or deleted', changes[0].problem)
})

t.Test('renaming: random permutations lose no file', () => {
  var seed = srand(11)
  for _ in range(30)
    var all = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    var dir = t.Files(['a', 'b', 'c', 'd', 'e'])
    var changes = range(5)->mapnew((i, _) => [all[i], all[rand(seed) % 7]])
    var problems = Rename(dir, changes)
    var there: dict<string> = {}
    for name in t.Names(dir)
      there[t.Content($'{dir}/{name}')] = name
    endfor
    for [was, wanted] in changes
      assert_equal(has_key(problems, was) ? was : wanted, there[was], string(changes))
    endfor
  endfor
})

# Lets the system refuse calls of renameat2, or kill the script before one of its steps.
const FAULTS =<< trim END
  package Faults;
  my $steps = 0;
  sub step { kill 9, $$ if ++$steps == ($ENV{DIE_AT} // 0) }
  BEGIN {
    no strict 'refs';
    *CORE::GLOBAL::syscall = sub {
      if ($ENV{NO_RENAMEAT2}) { $! = 38; return -1 }
      step(); CORE::syscall($_[0], @_[1 .. $#_])
    };
    *CORE::GLOBAL::rename = sub { step(); CORE::rename($_[0], $_[1]) };
    *CORE::GLOBAL::link = sub { step(); CORE::link($_[0], $_[1]) };
    *CORE::GLOBAL::symlink = sub { step(); CORE::symlink($_[0], $_[1]) };
    *CORE::GLOBAL::unlink = sub { step(); CORE::unlink(@_) };
    *CORE::GLOBAL::mkdir = sub { step(); CORE::mkdir($_[0]) };
    *CORE::GLOBAL::rmdir = sub { step(); CORE::rmdir($_[0]) };
  }
  1;
END
$PERL5LIB = tempname()
mkdir($PERL5LIB)
writefile(FAULTS, $PERL5LIB .. '/Faults.pm')

# Does something with the script, with and without the call renameat2.
def InBothWays(Body: func)
  $PERL5OPT = '-MFaults'
  for without in ['', '1']
    $NO_RENAMEAT2 = without
    Body()
  endfor
  $PERL5OPT = ''
enddef

t.Test('renaming: links, and names of one file', () => InBothWays(() => {
  var dir = t.Files(['a', 'b'])
  system($'cd {dir} && ln -s nowhere link && ln -s a other && ln a hard')
  assert_equal({hard: 'there is a file of this name', link: 'there is a file of this name'},
    Rename(dir, [['link', 'b'], ['hard', 'a'], ['other', "new\nname"]]))
  assert_equal(['a', 'b', 'hard', 'link', "new\nname"], t.Names(dir))
  assert_equal(['nowhere', dir .. '/a'], [resolve(dir .. '/link'), resolve($"{dir}/new\nname")]
    ->map((i, path) => i == 0 ? fnamemodify(path, ':t') : path))
}))

# Another program, which creates the new name of a file as soon as the one before is renamed.
const CREATOR =<< trim END
  use Fcntl;
  chdir $ARGV[0];
  for my $i (1 .. $ARGV[1] - 1) {
    my ($before, $next) = map { sprintf 'g%04d', $_ } $i - 1, $i;
    until (-e $before) {}
    if (sysopen my $file, $next, O_CREAT | O_EXCL | O_WRONLY) { print {$file} "precious"; print "$next\n" }
  }
END

t.Test('renaming: files that another program creates meanwhile are not overwritten', () => InBothWays(() => {
  var names = range(2000)->mapnew((_, i) => printf('%04d', i))
  var dir = t.Files(names->mapnew((_, name) => 'f' .. name))
  var script = tempname()
  writefile(CREATOR, script)
  var created: list<string> = []
  var job = job_start(['env', '-u', 'PERL5OPT', 'perl', script, dir, string(len(names))],
    {out_cb: (_, line) => created->add(line)})
  var problems = Rename(dir, names->mapnew((_, name) => ['f' .. name, 'g' .. name]))
  t.Wait('the other program', () => job_status(job) == 'dead' && ch_status(job) == 'closed')
  for name in created
    assert_equal('precious', t.Content($'{dir}/{name}'))
  endfor
  for name in names
    var failed = has_key(problems, 'f' .. name)
    assert_equal('f' .. name, t.Content($'{dir}/{failed ? 'f' : 'g'}{name}'))
  endfor
}))

# Kills the renaming before each of its steps, and restores the folder: every file has its old or new name.
def Killed(files: list<string>, pairs: list<list<string>>)
  for step in range(1, 100)
    var dir = t.Files(files)
    $DIE_AT = string(step)
    var problems = Rename(dir, pairs)
    $DIE_AT = ''
    assert_equal(empty(problems) ? [] : ['renaming was interrupted'], values(problems)->uniq())
    renaming.Restore(dir)
    for [was, name] in pairs
      var now = t.Names(dir)->filter((_, other) => was ==
        (isdirectory($'{dir}/{other}') ? t.Names($'{dir}/{other}')[0] : t.Content($'{dir}/{other}')))
      assert_true(!empty(now) && now->copy()->filter((_, other) => other != was && other != name)->empty(),
        $'{step}: {was} is {now}')
    endfor
    assert_equal(-1, t.Names(dir)->index(renaming.ROOM))
    if empty(problems)
      return
    endif
  endfor
  assert_report('it has too many steps')
enddef

t.Test('renaming: killed at any step, each file keeps its old or its new name', () => InBothWays(() => {
  Killed(['a', 'b'], [['a', 'b'], ['b', 'a']])
  Killed(['a', 'b', 'c', 'd'], [['a', 'b'], ['b', 'c'], ['c', 'a'], ['d', 'e']])
  Killed(['a/a', 'b/b', 'c/c', 'd'], [['a', 'b'], ['b', 'd'], ['c', 'a'], ['d', 'c']])
}))

t.Test('renaming: a circle that is under way in another program is left alone', () => {
  var dir = t.Files(['.listd-renaming/a/b', 'c'])
  var job = job_start(['perl', '-e', '$| = 1; open F, "<", $ARGV[0]; flock F, 2; print "locked\n"; <STDIN>',
    $'{dir}/{renaming.ROOM}'])
  assert_equal('locked', ch_read(job))
  renaming.Restore(dir)
  assert_equal(['.listd-renaming', 'c'], t.Names(dir))
  ch_close_in(job)
  t.Wait('the end', () => job_status(job) == 'dead')
  messages clear
  renaming.Restore(dir)
  assert_equal(['a', 'c'], t.Names(dir))
  assert_match('an interrupted renaming had put files aside, which are now: a$', execute('messages'))
})

t.Test('a tree restores the names of a renaming that was killed', () => {
  var dir = t.Files(['.listd-renaming/a/b', 'c'])
  var tree = listd#examples#tree#Open(dir)
  t.Wait('the file', () => getbufline(tree.buf, 1, '$') == ['  a', '  c'])
  execute 'bwipeout!' tree.buf
})

t.Finish()
