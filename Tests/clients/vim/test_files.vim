vim9script
# The example on a folder that changes on disk.
# Promise: In Neovim, Vim and Emacs cursor, selection, folds and marks of other programs stay on their rows, and
#   only changed lines are replaced. Also `test_files.lua`, `listd-tests-stays`.

import './harness.vim' as t
import autoload 'listd/view.vim'
import autoload 'listd/files.vim'
import autoload 'listd/client.vim'

const SIX = {apple: 1, banana: 2, cherry: 3, date: 4, elder: 5, fig: 6}

# Headless, nothing is typed, so no event reports that the cursor has moved.
def Go(pattern: string)
  search(pattern, 'cw')
  doautocmd CursorMoved
enddef

# Until nothing is under way: each answer may have led to another question.
def Settle(shown: dict<any>)
  var quiet = 0
  while quiet < 3
    client.Call(view.Client(), 'getLists', {})
    sleep 2m
    quiet = empty(shown.client.pending) ? quiet + 1 : 0
  endwhile
enddef

def Marked(shown: dict<any>): list<string>
  return sign_getplaced(shown.buf, {group: 'listd'})[0].signs
    ->mapnew((_, placed) => getbufline(shown.buf, placed.lnum)[0])
enddef

def Open(contents: dict<number>): list<any>
  var dir = t.Folder(contents)
  var shown = files.Open(dir)
  t.Wait('files', () => shown.count == len(contents))
  Settle(shown)
  return [shown, dir]
enddef

def Refreshed(shown: dict<any>, what: string, Condition: func)
  view.Refresh(shown)
  t.Wait(what, Condition)
  Settle(shown)
enddef

t.Test('the files of a folder, folders first', () => {
  var [shown, dir] = Open({b: 2000, a: 5})
  mkdir(dir .. '/z')
  Refreshed(shown, 'the new folder', () => shown.count == 3)
  assert_equal(['z/', 'a  5B', 'b  2.0K'], getline(1, '$'))
  assert_equal('a  5B', getline('.'), 'the first row has the cursor')
  assert_equal('listd://' .. dir, bufname())
})

t.Test('cursor, selection and foreign marks stay while others change', () => {
  var [shown, dir] = Open(SIX)
  Go('^banana')
  view.Select(shown, 'toggle')
  Settle(shown)
  Go('^date')
  view.Select(shown, 'toggle')
  Settle(shown)
  assert_equal(['banana  2B', 'date  4B'], Marked(shown))
  sign_define('foreign', {text: '!'})
  sign_place(77, 'somebody', 'foreign', shown.buf, {lnum: 4})
  prop_type_add('foreign', {bufnr: shown.buf})
  prop_add(4, 3, {type: 'foreign', length: 2})
  setlocal foldmethod=manual
  :5,6fold
  var touched = t.Touched(shown.buf)

  delete(dir .. '/cherry')
  t.Write(dir .. '/aardvark', 7)
  t.Write(dir .. '/blueberry', 8)
  Refreshed(shown, 'the change', () => shown.count == 7)
  listener_flush(shown.buf)
  assert_true(touched.lines <= 6, string(touched))  # Vim reports ranges
  # apple moves from above the cursor to the end
  rename(dir .. '/apple', dir .. '/zebra')
  Refreshed(shown, 'the new name', () => getline('$') == 'zebra  1B')
  assert_equal(['aardvark  7B', 'banana  2B', 'blueberry  8B', 'date  4B', 'elder  5B', 'fig  6B',
    'zebra  1B'], getline(1, '$'))
  assert_equal('date  4B', getline('.'), 'the line under the cursor')
  assert_equal(['banana  2B', 'date  4B'], Marked(shown), 'the selection')
  var signs = sign_getplaced(shown.buf, {group: 'somebody'})[0].signs
  assert_equal([4], signs->mapnew((_, placed) => placed.lnum), 'the foreign sign')
  assert_equal([3], prop_list(4)->mapnew((_, prop) => prop.col), 'the foreign text property')
  assert_equal([5, 6], [foldclosed(5), foldclosedend(5)], 'the fold')
})

t.Test('the cursor follows its file through a new name', () => {
  var [shown, dir] = Open(SIX)
  Go('^banana')
  view.Select(shown, 'toggle')
  Settle(shown)
  cursor(2, 4)
  rename(dir .. '/banana', dir .. '/quince')
  Refreshed(shown, 'the new name', () => getline(6) == 'quince  2B')
  assert_equal([6, 4], [line('.'), col('.')])
  assert_equal(['quince  2B'], Marked(shown))
})

t.Test('a file with the number of a deleted one has a row of its own, and one that is replaced keeps its row', () => {
  for many in [0, 200]  # so many new files
    var [shown, dir] = Open(SIX)
    for name in ['banana', 'date', 'fig']
      Go('^' .. name)
      view.Select(shown, 'toggle')
      Settle(shown)
    endfor
    delete(dir .. '/banana')
    t.Write(dir .. '/cucumber', 2)  # which may have the number of banana
    rename(dir .. '/date', dir .. '/date~')  # as Emacs saves
    t.Write(dir .. '/date', 9)
    rename(dir .. '/fig', dir .. '/grape')
    for number in range(many)
      t.Write($'{dir}/more{number}', 1)
    endfor
    Refreshed(shown, 'the change', () => shown.count == 7 + many)
    assert_equal(['date  9B', 'grape  6B'], Marked(shown))
    assert_equal('grape  6B', getline('.'))
  endfor
})

t.Test("where the cursor's file goes, the next one has it", () => {
  var [shown, dir] = Open(SIX)
  Go('^cherry')
  Settle(shown)
  delete(dir .. '/cherry')
  Refreshed(shown, 'the change', () => shown.count == 5)
  assert_equal('date  4B', getline('.'))
})

t.Test('a file that grows changes its line alone, and marks in it stay', () => {
  var [shown, dir] = Open(SIX)
  prop_type_add('foreign', {bufnr: shown.buf})
  prop_add(4, 2, {type: 'foreign', length: 3})
  var touched = t.Touched(shown.buf)
  t.Write(dir .. '/date', 44)
  Refreshed(shown, 'the change', () => getline(4) == 'date  44B')
  listener_flush(shown.buf)
  assert_equal([[4, 5, 0]], touched.ranges->uniq())
  assert_equal([[2, 3]], prop_list(4)->mapnew((_, prop) => [prop.col, prop.length]))
})

t.Test('the row under the cursor stays where it is on the screen', () => {
  var many: dict<number> = {}
  for number in range(100, 299)
    many[$'file{number}'] = number
  endfor
  var [shown, dir] = Open(many)
  Go('^file250')
  normal! zz
  Settle(shown)
  var row = line('.') - line('w0')
  for number in range(100, 120)
    delete($'{dir}/file{number}')
  endfor
  Refreshed(shown, 'the change', () => shown.count == 179)
  assert_equal('file250', getline('.')[: 6])
  assert_equal(row, line('.') - line('w0'))
})

t.Test('changes under a cursor that moves', () => {
  var [shown, dir] = Open(SIX)
  for round in range(1, 30)
    t.Write($'{dir}/a{round}', round)
    view.Refresh(shown)
    execute 'normal!' line('.') < line('$') ? 'j' : 'gg'
    doautocmd CursorMoved
    var name = matchstr(getline('.'), '^\S\+')
    t.Wait($'round {round}', () => shown.count == 6 + round)
    assert_equal(name, matchstr(getline('.'), '^\S\+'), $'round {round}')
  endfor
  Settle(shown)
  var now = client.Call(shown.client, 'getText', {list: shown.list})
  assert_equal(now.text, getline(1, '$')->mapnew((_, line) => line .. "\n")->join(''))
  assert_equal(line('.') - 1, now.cursorLine)
})

t.Test('selecting: all, others, none, a range, and lines', () => {
  var [shown, dir] = Open(SIX)
  view.Select(shown, 'all')
  Settle(shown)
  assert_equal(6, len(Marked(shown)))
  view.Select(shown, 'none')
  Settle(shown)
  assert_equal([], Marked(shown))
  Go('^banana')
  ListdSelect toggle
  Settle(shown)
  Go('^elder')
  ListdSelect extend
  Settle(shown)
  assert_equal(4, len(Marked(shown)))
  view.Select(shown, 'invert')
  Settle(shown)
  assert_equal(['apple  1B', 'fig  6B'], Marked(shown))
  :1,3ListdSelect select
  Settle(shown)
  assert_equal(['apple  1B', 'banana  2B', 'cherry  3B', 'fig  6B'], Marked(shown))
  var names: list<string> = []
  view.Selected(shown, (found) => {
    names = found->mapnew((_, item) => item.name)
  })
  Settle(shown)
  assert_equal(['apple', 'banana', 'cherry', 'fig'], names)
})

t.Test('keys: select, open, close', () => {
  var [shown, dir] = Open(SIX)
  Go('^cherry')
  feedkeys(' ', 'xt')
  Settle(shown)
  assert_equal(['cherry  3B'], Marked(shown))
  feedkeys("\<CR>", 'xt')
  t.Wait('the file', () => bufname() == dir .. '/cherry')
  assert_equal(shown.buf, files.Open(dir).buf, 'the same view again')
  assert_equal('cherry  3B', getline('.'), 'where it was left')
  feedkeys('q', 'xt')
  assert_false(bufexists(shown.buf))
  var lists = client.Call(shown.client, 'getLists', {}).lists
  assert_equal(-1, lists->indexof((_, got) => got.list == shown.list), 'a list outlives its buffer')
})

t.Test('two windows: each keeps its row', () => {
  var [shown, dir] = Open(SIX)
  Go('^fig')
  Settle(shown)
  split
  Go('^cherry')
  Settle(shown)
  t.Write(dir .. '/aardvark', 1)
  Refreshed(shown, 'the change', () => shown.count == 7)
  assert_equal('cherry  3B', getline('.'))
  wincmd j
  assert_equal('fig  6B', getline('.'))
  only
})

t.Test("the daemon's death is reported, and refreshing starts anew", () => {
  var [shown, dir] = Open(SIX)
  Go('^date')
  Settle(shown)
  var died = shown.client
  var failed: list<any> = []
  client.Request(died, 'getSnapshot', {list: 'nowhere'}, (err, _) => failed->add(err))
  Settle(shown)
  assert_equal(-31001, failed[0].code)
  job_stop(died.job, 19)  # SIGSTOP, so that nothing is answered
  for round in range(2)
    client.Request(died, 'getText', {list: shown.list}, (err, _) => failed->add(err))
  endfor
  job_stop(died.job, 'kill')
  t.Wait('the end', () => !empty(died.ended))
  assert_equal([true, true], failed[1 :]->mapnew((_, err) => get(err, 'ended', false)))
  assert_match('signal kill', execute('messages'))
  assert_equal(6, shown.count, 'what was known is still shown')
  rename(dir .. '/apple', dir .. '/zebra')
  Refreshed(shown, 'the change, by another daemon', () => getline(6) == 'zebra  1B')
  assert_true(shown.client isnot died)
  assert_equal('date  4B', getline('.'))
  view.Select(shown, 'toggle')
  Settle(shown)
  assert_equal(['date  4B'], Marked(shown))
})

t.Test('a folder that is empty, and one that is emptied and filled again', () => {
  var [empty, other] = Open({})
  t.Wait('the empty folder', () => empty.revision > 0)
  t.Write(other .. '/a', 1)
  Refreshed(empty, 'the first file', () => getline(1) == 'a  1B')
  var [shown, dir] = Open({a: 1, b: 2})
  delete(dir .. '/a')
  delete(dir .. '/b')
  Refreshed(shown, 'emptied', () => shown.count == 0)
  assert_equal([''], getline(1, '$'))
  t.Write(dir .. '/c', 3)
  Refreshed(shown, 'filled', () => shown.count == 1)
  assert_equal(['c  3B'], getline(1, '$'))
})

t.Test('a folder of many files is shown in parts, and a change of one file costs a short message', () => {
  var names = range(5000)->mapnew((_, i) => printf('%04d', i))
  g:listd_log = tempname()
  var contents: dict<number> = {}
  for name in names
    contents[name] = 0
  endfor
  var [shown, dir] = Open(contents)
  var received = readfile(g:listd_log)->filter((_, line) => line =~ '^←')
  assert_equal(names->mapnew((_, name) => $'{name}  0B'), getline(1, '$'))
  assert_true(received->mapnew((_, line) => len(line))->max() < 10000)
  delete(g:listd_log)
  t.Write($'{dir}/{names[900]}', 5)
  Refreshed(shown, 'the change', () => getline(901) == $'{names[900]}  5B')
  var messages = readfile(g:listd_log)->filter((_, line) => line !~ '"lists":\|"getLists"')  # those of Settle()
  unlet g:listd_log
  assert_true(messages->join()->len() < 3000, messages->join("\n"))
})

t.Test('sessions and :edit show the folder whose name a buffer has', () => {
  var [shown, dir] = Open({a: 1, b: 2})
  only
  var session = tempname()
  for again in [$'source {session}', $'edit listd://{dir}']
    execute 'mksession!' session
    execute 'bwipeout' shown.buf
    execute again
    t.Wait($'the folder after {again}', () => getline(2) == 'b  2B')
    shown = view.OfBuffer()
    assert_equal('listd://' .. dir, bufname())
    assert_equal([shown.buf], getbufinfo()->filter((_, info) => info.name =~ dir)->mapnew((_, info) => info.bufnr))
  endfor
})

t.Test("a session's keys without a list say so", () => {
  var shown = view.Open('todo', {})
  only
  var session = tempname()
  execute 'mksession!' session
  bwipeout
  execute 'source' session
  messages clear
  for key in ['R', ' ', 'V ', 'q']
    feedkeys(key, 'xt')
  endfor
  assert_match('there is no list in this buffer', execute('messages'))
  assert_notmatch('E\d\+', execute('messages'))
  bwipeout!
})

t.Test('odd names', () => {
  Open({"a\nb": 1, "c\xff": 1, '{x}': 1, 'ü': 1})
  assert_equal(['a^Jb  1B', 'c\xff  1B', '{x}  1B', 'ü  1B'], getline(1, '$'))
})

t.Finish()
