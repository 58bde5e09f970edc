vim9script
# Editing the lines of a list: see also test_tree.vim.
# Promise: In Neovim, Vim and Emacs editing the lines of a tree renames its files: each name lands on its file
#   whatever changes meanwhile, names may be swapped, nothing is overwritten or deleted, and what fails stays with
#   its reason. Also `test_lines.lua`, `listd-tree-tests.el`.

import './harness.vim' as t
import autoload 'listd/view.vim'

const NEW = 'this line is new, or was changed while it was moved'

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
  t.Shows(shown, ['Head', '· one', '· two words'])
  var buf = t.EditLines(shown)
  assert_equal(['Head', '· one', '· two words'], getline(1, '$'))
  silent undo
  assert_equal(['Head', '· one', '· two words'], getline(1, '$'), 'nothing to undo')
  set backspace=indent,eol,start
  :3
  feedkeys("$bi\<C-u>2 \<Esc>0ia\<Esc>^ib\<Esc>$a!\<C-w>\<C-w>\<C-w>\<C-w>\<C-w>\<BS>c\<Esc>", 'xt')
  assert_equal('· c', getline(3))
  feedkeys("5Sbad\<Esc>Ivery \<Esc>", 'xt')
  assert_equal('· very bad', getline(3))
  t.Retype('very bad', 'bad')
  assert_equal({'· bad': 'it is bad'}, t.WriteLines(buf))
  t.Retype('bad', 'throw')
  assert_equal({'· throw': 'thrown'}, t.WriteLines(buf))
  :1substitute/Head/Tail/
  :2substitute/·/x/
  t.Retype('throw', 'good')
  assert_equal({Tail: 'this line cannot be changed', 'x one': 'only the text behind the indent can be changed'},
    t.WriteLines(buf))
  bwipeout!
  assert_false(bufexists(buf))

  var plain = view.Open('plain', {})
  assert_equal('', maparg('E', 'n'))
  ListdEdit
  assert_equal(plain.buf, bufnr())
  bwipeout!
})

# Edits rows, does something with their lines, and writes them; returns the changes by ids, and the problems.
def Edited(names: list<string>, Body: func): list<any>
  var committed: dict<string> = {}
  var Commit = (changes) => {
    for change in changes
      committed[change.id] = change.text
    endfor
  }
  var shown = t.Show({templates: {Editable: '{name}'}, edit: {Commit: Commit}},
    names->mapnew((i, name) => ({id: i, name: name, template: 'Editable'})))
  var buf = t.EditLines(shown)
  Body()
  var problems = t.WriteLines(buf)
  execute 'bwipeout!' shown.buf
  if bufexists(buf)
    execute 'bwipeout!' buf
  endif
  return [committed, problems]
enddef

# Types keys, as a person does between whose keys Vim notices what has changed.
def Type(...keys: list<string>)
  for some in keys
    execute 'legacy' some[0] == ':' ? 'silent ' .. some : 'normal! ' .. some
    doautocmd TextChanged
    &l:undolevels = &l:undolevels  # what follows is undone by itself
  endfor
enddef

t.Test('editing lines: a line is of its row, or of none', () => {
  const ABC = ['a', 'b', 'c']
  # moved and changed, as a person types it, in a macro, and with undo
  assert_equal([{0: 'A', 1: 'B'}, {}], Edited(ABC, () => Type('1GSA', 'dd', 'p', '1GSB')))
  assert_equal([{0: 'A'}, {}], Edited(ABC, () => feedkeys("1GSA\<Esc>ddp2GddpSA\<Esc>", 'xt')))
  assert_equal([{0: 'A'}, {}], Edited(ABC, () => Type('1Gdd', 'p', 'u', 'u', "\<C-r>", "\<C-r>", '2GSA')))
  assert_equal([{1: 'B'}, {}], Edited(ABC, () => Type(':1move 3', ':%sort!', '2GSB')))
  assert_equal([{0: 'Xa', 1: 'Xb', 2: 'Xc'}, {}], Edited(ABC, () => Type(':g/./normal IX', ':g/./move 0')))
  assert_equal([{2: 'a'}, {}], Edited(ABC, () => Type('1Gyiw3GVp', 'u', '3Gviw"0p')))
  # lines that are like others: moved as they were, they are not changes
  assert_equal([{}, {}], Edited(['x', 'a', 'x'], () => Type(':sort')))
  assert_equal([{}, {X: NEW, x: NEW}], Edited(['x', 'a', 'x'], () => Type(':sort', '2GSX', "Gox\<Esc>ox")))
  # copies, new lines, lines that were joined or split, or set by another plugin
  assert_equal([{}, {b: NEW}], Edited(ABC, () => Type('2Gyyp')))
  assert_equal([{}, {n: NEW}], Edited(ABC, () => Type('2GOn', "Go")))
  assert_equal([{}, {'a b': 'several lines were joined in this one'}], Edited(ABC, () => Type('1GJ')))
  assert_equal([{0: 'a'}, {'2': NEW}], Edited(['a2', 'b', 'c'], () => Type("1G0li\<CR>")))
  assert_equal([{2: 'C'}, {n: NEW}], Edited(ABC, () => {
    setline(2, 'n')
    Type('3GSC')
  }))
  # one copy gets the row of the line, which comes back
  assert_equal([{}, {b: 'two lines stand for the same row', B: 'two lines stand for the same row'}],
    Edited(ABC, () => Type('2Gyyp', 'kdd', 'u', 'SB')))
})

t.Test("editing lines: they are written after the daemon's end, and after another has begun", () => {
  for again in [false, true]
    var committed: list<any> = []
    var shown = t.Show({templates: {Editable: '{name}'}, edit: {Commit: (changes) => extend(committed, changes)}},
      ['a', 'b', 'c']->mapnew((i, name) => ({id: i, name: name, template: 'Editable'})))
    var buf = t.EditLines(shown)
    t.Retype('b', 'B')
    job_stop(shown.client.job, 'kill')
    t.Wait('the end', () => !empty(shown.client.ended))
    if again
      view.Apply(shown, t.Snapshot([{id: 9, name: 'new', template: 'Editable'}, {id: 1, name: 'b', template: 'Editable'}]))
      t.Settle(shown)
    endif
    assert_equal({}, t.WriteLines(buf))
    assert_equal([[1, 'B', 'b']], committed->mapnew((_, change) => [change.id, change.text, change.item.name]))
    t.Wait('the list', () => getbufline(shown.buf, 1, '$') == (again ? ['new', 'b'] : ['a', 'b', 'c']))
    execute 'bwipeout!' shown.buf
  endfor
})

t.Test('editing lines: a list that was closed changes nothing', () => {
  var shown = t.Show({templates: {Editable: '{name}'}, edit: {Commit: (_) => 0}}, [{id: 1, name: 'a', template: 'Editable'}])
  var buf = t.EditLines(shown)
  t.Retype('a', 'A')
  execute 'bwipeout!' shown.buf
  assert_equal({A: 'the list is not there any more'}, t.WriteLines(buf))
  execute 'bwipeout!' buf
})

t.Test('editing lines: thousands are written at once', () => {
  for many in [2000, 5000]
    var committed: list<any> = []
    var shown = view.Open($'many {many}', {templates: {Editable: '· {name}'},
      edit: {Commit: (changes) => extend(committed, changes)}})
    view.Apply(shown, {items: range(many)->mapnew((_, i) => ({id: i, name: $'row {i}', template: 'Editable'}))})
    t.Wait('the rows', () => shown.count == many && !shown.rereading)
    t.Settle(shown)
    var buf = t.EditLines(shown)
    silent :%substitute/$/!/
    view.EditItems(shown, [{edit: 'deleteItems', items: [0]}])
    t.Settle(shown)
    assert_equal({'· row 0!': 'it was deleted'}, t.WriteLines(buf))
    assert_equal(range(1, many - 1), committed->mapnew((_, change) => change.id))
    bwipeout!
    execute 'bwipeout!' shown.buf
  endfor
})

# Edits a line, has all rows shuffled, and ends Vim before their texts have been read.
const ENDING =<< trim END
  import autoload 'listd/view.vim'
  g:listd_confirm_renames = false
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
  execute "normal! 6GA changed\<Esc>"
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
