vim9script
# Editing the lines of a list, and renaming files by it: see also test_renaming.vim.

import './harness.vim' as t
import autoload 'listd/client.vim'
import autoload 'listd/lines.vim'
import autoload 'listd/view.vim'

def Names(dir: string): list<string>
  return readdir(dir)->sort()
enddef

def Content(path: string): string
  return readfile(path, 'b')->join("\n")
enddef

# A folder of files that hold their names.
def Folder(files: list<string>): string
  var dir = tempname()
  mkdir(dir, 'p')
  for name in files
    mkdir(fnamemodify($'{dir}/{name}', ':h'), 'p')
    writefile(split(name, "\n", true), $'{dir}/{name}', 'b')
  endfor
  return dir
enddef

def Settle(shown: dict<any>)
  var quiet = 0
  while quiet < 3
    client.Call(shown.client, 'getLists', {})
    sleep 2m
    quiet = empty(shown.client.pending) ? quiet + 1 : 0
  endwhile
enddef

def Shows(shown: dict<any>, wanted: list<string>)
  try
    t.Wait('', () => getbufline(shown.buf, 1, '$') == wanted)
  catch
  endtry
  assert_equal(wanted, getbufline(shown.buf, 1, '$'))
  Settle(shown)
enddef

def Go(shown: dict<any>, lnum: number, keys: string)
  cursor(lnum, 1)
  doautocmd CursorMoved
  Settle(shown)
  feedkeys(keys, 'xt')
enddef

# The lines of the current buffer without the numbers.
def Lines(): list<string>
  return getline(1, '$')->map((_, line) => substitute(line, '^/\d\+ ', '', ''))
enddef

# Begins to edit the lines; returns the buffer.
def Edit(shown: dict<any>): number
  execute 'buffer' shown.buf
  feedkeys('E', 'xt')
  t.Wait('the lines', () => bufnr() == get(shown, 'editing', -1))
  return bufnr()
enddef

# Replaces the text of a line, as a person does.
def Retype(old: string, new: string)
  assert_true(search($'\V{escape(old, '\')}\$', 'cw') > 0, old)
  feedkeys($"S{new}\<Esc>", 'xt')
enddef

# Writes the buffer. With problems it stays, and they are returned by lines.
def Write(buf: number): dict<string>
  write
  for _ in range(20)
    sleep 2m
    if !bufexists(buf)
      return {}
    endif
  endfor
  return lines.Problems(buf)
enddef

t.Test('tree: folders are read when they are expanded, and followed', () => {
  var dir = Folder(['sub/deep/file', 'sub/x', 'a', 'b10', 'b9'])
  var tree = listd#examples#tree#Open(dir)
  Shows(tree, ['▸ sub', '  a', '  b9', '  b10'])
  Go(tree, 1, "\<CR>")
  Shows(tree, ['▾ sub', '  ▸ deep', '    x', '  a', '  b9', '  b10'])
  t.Write(dir .. '/sub/new', 1)
  rename(dir .. '/a', dir .. '/sub/moved')
  Shows(tree, ['▾ sub', '  ▸ deep', '    moved', '    new', '    x', '  b9', '  b10'])
  delete(dir .. '/sub', 'rf')
  Shows(tree, ['  b9', '  b10'])
  bwipeout!
})

t.Test('tree: changed lines rename their files, wherever the lines are', () => {
  var dir = Folder(['sub/x', 'sub/y', 'a', 'b', 'with  two spaces '])
  var tree = listd#examples#tree#Open(dir)
  Shows(tree, ['▸ sub', '  a', '  b', '  with  two spaces '])
  Go(tree, 1, "\<Tab>")
  Shows(tree, ['▾ sub', '    x', '    y', '  a', '  b', '  with  two spaces '])
  var buf = Edit(tree)
  assert_equal(['▾ sub', '    x', '    y', '  a', '  b', '  with  two spaces '], Lines())
  Retype('sub', 'lower')
  Retype('x', ' x y ')
  Retype('a', 'c')
  Retype('b', 'a')
  Retype('c', 'b')
  Retype('with  two spaces ', 'é日')
  feedkeys('ddggP', 'xt')  # moves the line to the top
  assert_equal('  é日', Lines()[0])
  assert_equal({}, Write(buf))
  Shows(tree, ['▾ lower', '     x y ', '    y', '  a', '  b', '  é日'])
  assert_equal(['a', 'b', 'lower', 'é日'], Names(dir))
  assert_equal(['b', 'a', 'sub/x'], [Content(dir .. '/a'), Content(dir .. '/b'), Content(dir .. '/lower/ x y ')])
  assert_equal([tree.buf, '  é日'], [bufnr(), getline('.')])
  assert_equal([0, false], [&conceallevel, &modifiable])
  bwipeout!
})

t.Test('tree: names land on their files though the folder changes meanwhile', () => {
  var dir = Folder(['a', 'b', 'c', 'd'])
  var tree = listd#examples#tree#Open(dir)
  Shows(tree, ['  a', '  b', '  c', '  d'])
  var buf = Edit(tree)
  Retype('b', 'B')
  Retype('c', 'C')
  Retype('d', 'D')
  rename(dir .. '/b', dir .. '/0 first')  # has another name, and is the first now
  delete(dir .. '/c')
  t.Write(dir .. '/keep', 3)  # which may have the inode of c
  for i in range(1, 100)  # more texts than the daemon remembers
    t.Write($'{dir}/e{i}', 1)
    if i % 5 == 0
      view.Refresh(tree)
      sleep 10m
      Settle(tree)
    endif
  endfor
  t.Wait('the change', () => index(getbufline(tree.buf, 1, '$'), '  e100') >= 0
    && index(getbufline(tree.buf, 1, '$'), '  0 first') >= 0)
  Settle(tree)
  assert_equal(['  a', '  B', '  C', '  D'], Lines())
  assert_equal(['  C'], keys(Write(buf)))
  assert_equal(['b', 'd', 'a'], [Content(dir .. '/B'), Content(dir .. '/D'), Content(dir .. '/a')])
  assert_equal([0, 0], [filereadable(dir .. '/0 first'), filereadable(dir .. '/C')])
  bwipeout!
  execute 'bwipeout!' tree.buf
})

def Refused()
  var dir = Folder(['sub/x', 'a', 'b', 'c', 'd', 'e', 'taken'])
  var tree = listd#examples#tree#Open(dir)
  Shows(tree, ['▸ sub', '  a', '  b', '  c', '  d', '  e', '  taken'])
  var buf = Edit(tree)
  Retype('a', 'taken')
  Retype('b', 'x/y')
  Retype('c', '')
  Retype('d', 'D')
  search('e$', 'w')
  feedkeys('yyp', 'xt')  # a second line of e
  feedkeys("Gonew\<Esc>", 'xt')
  search('sub$', 'w')
  feedkeys('dd', 'xt')
  assert_equal({
    '  taken': 'there is a file of this name',
    '  x/y': 'a name cannot contain /',
    '  ': 'a name cannot be empty',
    '  e': 'two lines stand for the same row',
    'new': 'this line is new, and lines cannot be added',
  }, Write(buf))
  assert_equal(['D', 'a', 'b', 'c', 'e', 'sub', 'taken'], Names(dir))
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
  Retype('taken', 'A')
  silent global/^\/\d\+   $/delete
  assert_equal({}, Write(buf))
  Shows(tree, ['▸ sub', '  A', '  b', '  c', '  D', '  e', '  taken'])
  bwipeout!
enddef

t.Test('tree: what cannot be done stays in the buffer, with the reason', Refused)

t.Test('tree: bytes that are not text, and line breaks, stay in names', () => {
  var dir = Folder(["caf\xe9", "two\nlines", "tab\tname", 'a\b "x"'])
  var tree = listd#examples#tree#Open(dir)
  Shows(tree, ['  a\b "x"', '  caf<e9>', '  tab^Iname', '  two^@lines'])
  var buf = Edit(tree)
  silent :%substitute/$/ 2/
  assert_equal({}, Write(buf))
  assert_equal(['a\b "x" 2', "caf\xe9 2", "tab\tname 2", "two\nlines 2"], Names(dir))
  execute 'bwipeout!' tree.buf
})

t.Test('editing lines: keys keep to the text, undo, leaving, other lists', () => {
  var Commit = (changes) => {
    for change in changes
      if change.text == 'bad'
        change.problem = 'it is bad'
      elseif change.text == 'throw'
        throw 'thrown'
      endif
    endfor
  }
  var shown = view.Open('editable', {templates: {Editable: '· {name}'}, edit: {Commit: Commit}})
  var Item = (id, name) => ({id: id, name: name, template: 'Editable'})
  view.Apply(shown, {sections: [{id: 1, header: 'Head', items: [Item(1, 'one'), Item(2, 'two words')]}]})
  Shows(shown, ['Head', '· one', '· two words'])
  var buf = Edit(shown)
  assert_equal(['/1 Head', '/2 · one', '/3 · two words'], getline(1, '$'))
  silent undo
  assert_equal(['/1 Head', '/2 · one', '/3 · two words'], getline(1, '$'), 'nothing to undo')
  set backspace=indent,eol,start
  :3
  feedkeys("$bi\<C-u>2 \<Esc>0ia\<Esc>^ib\<Esc>$a!\<C-w>\<C-w>\<C-w>\<C-w>\<C-w>\<BS>c\<Esc>", 'xt')
  assert_equal('/3 · c', getline(3))
  feedkeys("5Sbad\<Esc>Ivery \<Esc>", 'xt')
  assert_equal('/3 · very bad', getline(3))
  Retype('very bad', 'bad')
  assert_equal({'· bad': 'it is bad'}, Write(buf))
  Retype('bad', 'throw')
  assert_equal({'· throw': 'thrown'}, Write(buf))
  :1substitute/Head/Tail/
  :2substitute/·/x/
  Retype('throw', 'good')
  assert_equal({Tail: 'this line cannot be changed', 'x one': 'only the text behind the indent can be changed'},
    Write(buf))
  bwipeout!
  assert_false(bufexists(buf))

  # The daemon dies meanwhile.
  buf = Edit(shown)
  Retype('one', 'two')
  job_stop(shown.client.job, 'kill')
  t.Wait('the end', () => !empty(shown.client.ended))
  assert_equal({'· two': 'the list is not there any more'}, Write(buf))
  bwipeout!
  execute 'bwipeout!' shown.buf

  var plain = view.Open('plain', {})
  assert_equal('', maparg('E', 'n'))
  ListdEdit
  assert_equal(plain.buf, bufnr())
  bwipeout!
})

t.Test('editing lines: thousands are written at once', () => {
  for many in [2000, 5000]
    var committed: list<any> = []
    var shown = view.Open($'many {many}', {templates: {Editable: '· {name}'},
      edit: {Commit: (changes) => extend(committed, changes)}})
    view.Apply(shown, {items: range(many)->mapnew((_, i) => ({id: i, name: $'row {i}', template: 'Editable'}))})
    t.Wait('the rows', () => shown.count == many && !shown.rereading)
    Settle(shown)
    var buf = Edit(shown)
    silent :%substitute/$/!/
    view.EditItems(shown, [{edit: 'deleteItems', items: [0]}])
    Settle(shown)
    assert_equal({'· row 0!': 'it was deleted'}, Write(buf))
    assert_equal(range(1, many - 1), committed->mapnew((_, change) => change.id))
    bwipeout!
    execute 'bwipeout!' shown.buf
  endfor
})

t.Test('tree in a terminal: what is seen before, while and after editing', () => {
  var dir = Folder(['src/main.c', 'src/util.c', 'doc/help', 'README'])
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
    t.Keys([':wq', 'Enter'])  # all is written before Vim ends
    t.Wait('the files', () => Names(dir .. '/src') == ['doc', 'new-main.cpp'])
  finally
    t.CloseTerminal()
  endtry
})

# Edits a line, has all rows shuffled, and ends Vim before their texts have been read.
const ENDING =<< trim END
  import autoload 'listd/view.vim'
  def Snapshot(numbers: list<number>): dict<any>
    return {items: numbers->mapnew((_, i) => ({id: i, name: $'row {i}', more: repeat('x', 2000)}))}
  enddef
  def Commit(changes: list<dict<any>>)
    writefile(changes->mapnew((_, change) => change.text), WRITTEN)
  enddef
  def Until(Condition: func)
    for _ in range(5000)
      if Condition()
        return
      endif
      sleep 1m
    endfor
    cquit 2
  enddef
  var shown = view.Open('ending', {templates: {Cell: '{more} {name}'}, edit: {Commit: Commit}})
  view.Apply(shown, Snapshot(range(900)))
  Until(() => shown.count == 900 && !shown.rereading)
  view.EditLines(shown)
  Until(() => bufnr() == get(shown, 'editing', -1))
  setline(6, getline(6) .. ' changed')
  view.Apply(shown, Snapshot(range(900)->mapnew((_, i) => i * 7 % 900)))
  Until(() => shown.client.held)
  wq
END

t.Test('written while a long change is being read, Vim ends with all changes committed', () => {
  var written = tempname()
  var script = tempname()
  writefile(['vim9script', $'const WRITTEN = {string(written)}'] + ENDING, script)
  system($"vim -u NONE -i NONE -n -es -N --cmd 'set encoding=utf-8 hidden rtp^={fnamemodify('clients/vim', ':p')}' "
    .. $"-c 'runtime plugin/listd.vim' -S {script} -c 'cquit 3' </dev/null")
  assert_equal([0, ['row 5 changed']], [v:shell_error, filereadable(written) ? readfile(written) : []])
})

t.Finish()
