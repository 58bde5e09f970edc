vim9script
# Files as a tree, whose lines are edited to rename them.

import './harness.vim' as t
import autoload 'listd/view.vim'

const NEW = 'this line is new, or was changed while it was moved'

def Go(shown: dict<any>, lnum: number, keys: string)
  cursor(lnum, 1)
  doautocmd CursorMoved
  t.Settle(shown)
  feedkeys(keys, 'xt')
enddef

t.Test('tree: folders are read when they are expanded, and followed', () => {
  var dir = t.Files(['sub/deep/file', 'sub/x', 'a', 'b10', 'b9'])
  var tree = listd#examples#tree#Open(dir)
  t.Shows(tree, ['▸ sub', '  a', '  b9', '  b10'])
  Go(tree, 1, "\<CR>")
  t.Shows(tree, ['▾ sub', '  ▸ deep', '    x', '  a', '  b9', '  b10'])
  t.Write(dir .. '/sub/new', 1)
  rename(dir .. '/a', dir .. '/sub/moved')
  t.Shows(tree, ['▾ sub', '  ▸ deep', '    moved', '    new', '    x', '  b9', '  b10'])
  delete(dir .. '/sub', 'rf')
  t.Shows(tree, ['  b9', '  b10'])
  bwipeout!
})

t.Test('tree: changed lines rename their files, wherever the lines are', () => {
  var dir = t.Files(['sub/x', 'sub/y', 'a', 'b', 'with  two spaces '])
  var tree = listd#examples#tree#Open(dir)
  t.Shows(tree, ['▸ sub', '  a', '  b', '  with  two spaces '])
  Go(tree, 1, "\<Tab>")
  t.Shows(tree, ['▾ sub', '    x', '    y', '  a', '  b', '  with  two spaces '])
  var buf = t.EditLines(tree)
  assert_equal(['▾ sub', '    x', '    y', '  a', '  b', '  with  two spaces '], getline(1, '$'))
  t.Retype('sub', 'lower')
  t.Retype('x', ' x y ')
  t.Retype('a', 'c')
  t.Retype('b', 'a')
  t.Retype('c', 'b')
  t.Retype('with  two spaces ', 'é日')
  feedkeys('ddggP', 'xt')  # moves the line to the top
  assert_equal('  é日', getline(1))
  assert_equal({}, t.WriteLines(buf))
  t.Shows(tree, ['▾ lower', '     x y ', '    y', '  a', '  b', '  é日'])
  assert_equal(['a', 'b', 'lower', 'é日'], t.Names(dir))
  assert_equal(['b', 'a', 'sub/x'], [t.Content(dir .. '/a'), t.Content(dir .. '/b'), t.Content(dir .. '/lower/ x y ')])
  assert_equal([tree.buf, '  é日'], [bufnr(), getline('.')])
  assert_equal([0, false], [&conceallevel, &modifiable])
  bwipeout!
})

t.Test('tree: names land on their files though the folder changes meanwhile', () => {
  var dir = t.Files(['a', 'b', 'c', 'd'])
  var tree = listd#examples#tree#Open(dir)
  t.Shows(tree, ['  a', '  b', '  c', '  d'])
  var buf = t.EditLines(tree)
  t.Retype('b', 'B')
  t.Retype('c', 'C')
  t.Retype('d', 'D')
  rename(dir .. '/b', dir .. '/0 first')  # has another name, and is the first now
  delete(dir .. '/c')
  t.Write(dir .. '/keep', 3)  # which may have the inode of c
  for i in range(1, 100)  # more texts than the daemon remembers
    t.Write($'{dir}/e{i}', 1)
    if i % 5 == 0
      view.Refresh(tree)
      sleep 10m
      t.Settle(tree)
    endif
  endfor
  t.Wait('the change', () => index(getbufline(tree.buf, 1, '$'), '  e100') >= 0
    && index(getbufline(tree.buf, 1, '$'), '  0 first') >= 0)
  t.Settle(tree)
  assert_equal(['  a', '  B', '  C', '  D'], getline(1, '$'))
  assert_equal(['  C'], keys(t.WriteLines(buf)))
  assert_equal(['b', 'd', 'a'], [t.Content(dir .. '/B'), t.Content(dir .. '/D'), t.Content(dir .. '/a')])
  assert_equal([0, 0], [filereadable(dir .. '/0 first'), filereadable(dir .. '/C')])
  bwipeout!
  execute 'bwipeout!' tree.buf
})

def Refused()
  var dir = t.Files(['sub/x', 'a', 'b', 'c', 'd', 'e', 'taken'])
  var tree = listd#examples#tree#Open(dir)
  t.Shows(tree, ['▸ sub', '  a', '  b', '  c', '  d', '  e', '  taken'])
  var buf = t.EditLines(tree)
  t.Retype('a', 'taken')
  t.Retype('b', 'x/y')
  t.Retype('c', '')
  t.Retype('d', 'D')
  search('e$', 'w')
  feedkeys('yyp', 'xt')  # a second line of e
  feedkeys("Gonew\<Esc>", 'xt')
  search('sub$', 'w')
  feedkeys('dd', 'xt')
  assert_equal({
    '  taken': 'taken exists',
    '  x/y': 'a name has no slash',
    '  ': 'a name cannot be empty',
    '  e': NEW,
    'new': NEW,
  }, t.WriteLines(buf))
  assert_equal(['D', 'a', 'b', 'c', 'e', 'sub', 'taken'], t.Names(dir))
  assert_true(&modified)
  try
    execute 'edit' dir .. '/a'
    assert_report('the lines were left')
  catch /E37:/
  endtry
  # Mended, all is done.
  silent global/^new$\|\/y$/delete
  search('e$', 'w')
  feedkeys('dd', 'xt')
  t.Retype('taken', 'A')
  silent global/^  $/delete
  assert_equal({}, t.WriteLines(buf))
  t.Shows(tree, ['▸ sub', '  A', '  b', '  c', '  D', '  e', '  taken'])
  bwipeout!
enddef

t.Test('tree: what cannot be done stays in the buffer, with the reason', Refused)

t.Test('tree: bytes that are not text, and line breaks, stay in names', () => {
  var dir = t.Files(["caf\xe9", "two\nlines", "tab\tname", 'a\b "x"'])
  var tree = listd#examples#tree#Open(dir)
  t.Shows(tree, ['  a\b "x"', '  caf\xe9', '  tab^Iname', '  two^Jlines'])
  var buf = t.EditLines(tree)
  silent :%substitute/$/ 2/
  assert_equal({}, t.WriteLines(buf))
  assert_equal(['a\b "x" 2', "caf\xe9 2", "tab\tname 2", "two\nlines 2"], t.Names(dir))
  execute 'bwipeout!' tree.buf
})

t.Test("tree: names are written after the daemon's end", () => {
  var dir = t.Files(['sub/x', 'a'])
  var tree = listd#examples#tree#Open(dir)
  t.Shows(tree, ['▸ sub', '  a'])
  Go(tree, 1, "\<Tab>")
  t.Shows(tree, ['▾ sub', '    x', '  a'])
  var buf = t.EditLines(tree)
  t.Retype('x', 'X')
  t.Retype('a', 'A')
  job_stop(tree.client.job, 'kill')
  t.Wait('the end', () => !empty(tree.client.ended))
  assert_equal({}, t.WriteLines(buf))
  assert_equal(['A', 'sub'], t.Names(dir))
  t.Shows(tree, ['▸ sub', '  A'])
  assert_equal(['X'], t.Names(dir .. '/sub'))
  execute 'bwipeout!' tree.buf
})

t.Test('tree: numbers in names are the only ones that a substitution reaches', () => {
  for [pattern, wanted] in [['\=submatch(0)%3+1', ['f1', 'f2', 'f3']],
      ['\=printf("%04d",submatch(0)+10)', ['f0010', 'f0011', 'f0012']]]
    var dir = t.Files(['f0000.txt', 'f0001.txt', 'f0002.txt'])
    var tree = listd#examples#tree#Open(dir)
    t.Shows(tree, ['  f0000.txt', '  f0001.txt', '  f0002.txt'])
    var buf = t.EditLines(tree)
    execute $'legacy silent :%s/\d\+/{pattern}/'
    assert_equal(wanted->mapnew((_, name) => $'  {name}.txt'), getline(1, '$'), 'what is seen')
    assert_equal({}, t.WriteLines(buf))
    assert_equal(wanted->mapnew((_, name) => name .. '.txt'), t.Names(dir))
    assert_equal(['f0000.txt', 'f0001.txt', 'f0002.txt'], t.Names(dir)->map((_, name) => t.Content($'{dir}/{name}')))
    execute 'bwipeout!' tree.buf
  endfor
})

t.Test('tree in a terminal: what is seen before, while and after editing', () => {
  var dir = t.Files(['src/main.c', 'src/util.c', 'doc/help', 'README'])
  var clients = fnamemodify('clients/vim', ':p')
  t.Terminal($"vim -u NONE -i NONE -n -N --cmd 'set encoding=utf-8 hidden rtp^={clients}' "
    .. $"-c 'runtime plugin/listd.vim' -c 'call listd#examples#tree#Open(\"{dir}\")'", 'LISTD=' .. $LISTD)
  var See = (text: string) => t.Screen(text, (screen) => stridx(screen, text) >= 0)
  try
    See("  ▸ doc\n  ▸ src\n    README\n")
    t.Keys(['j', 'Tab'])
    See("  ▸ doc\n  ▾ src\n      main.c\n      util.c\n    README\n")
    t.Keys(['E'])
    sleep 300m
    t.Keys([':set filetype?', 'Enter'])
    See("filetype=listd-lines")
    See("  ▸ doc\n  ▾ src\n      main.c\n      util.c\n    README\n")  # no numbers are seen
    t.Keys(['j', 'I', 'new-', 'Escape', 'j', 'S', 'doc', 'Escape', 'k', 'A', 'pp', 'Escape'])
    See("  ▾ src\n      new-main.cpp\n      doc\n")
    t.Keys([':w', 'Enter'])
    See("main.c → new-main.cpp\nutil.c → doc\nChange 2 lines?\n(Y)es, [N]o:")
    t.Keys(['n'])
    See('listd: nothing was changed')
    See("  ▾ src\n      new-main.cpp\n      doc\n")
    assert_equal(['main.c', 'util.c'], t.Names(dir .. '/src'))
    t.Keys([':wq', 'Enter'])
    See('Change 2 lines?')
    t.Keys(['n'])
    See('listd: nothing was changed')
    t.Keys([':wq', 'Enter'])
    See('Change 2 lines?')
    t.Keys(['y'])  # all is written before Vim ends
    t.Wait('the files', () => t.Names(dir .. '/src') == ['doc', 'new-main.cpp'])
  finally
    t.CloseTerminal()
  endtry
})

t.Test('tree in a terminal: the question names as many changes as fit; without changes there is none', () => {
  var dir = t.Files(range(30)->mapnew((_, i) => $'f{i + 10}'))
  var clients = fnamemodify('clients/vim', ':p')
  t.Terminal($"vim -u NONE -i NONE -n -N --cmd 'set encoding=utf-8 hidden laststatus=2 rtp^={clients}' "
    .. $"-c 'runtime plugin/listd.vim' -c 'call listd#examples#tree#Open(\"{dir}\")'", 'LISTD=' .. $LISTD)
  var See = (text: string) => t.Screen(text, (screen) => stridx(screen, text) >= 0)
  try
    See("  f10\n")
    t.Keys(['E'])
    See('(editing ')
    t.Keys([':w', 'Enter'])
    See('listd: 0 lines changed')
    t.Keys(['E'])
    See('(editing ')
    t.Keys([':%s/f/g/', 'Enter', ':w', 'Enter'])
    See("f23 → g23\nand 16 more\nChange 30 lines?")
    t.Keys(['y'])
    See('listd: 30 lines changed')
    assert_equal(range(30)->mapnew((_, i) => $'g{i + 10}'), t.Names(dir))
  finally
    t.CloseTerminal()
  endtry
})

t.Finish()
