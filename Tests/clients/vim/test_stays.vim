vim9script
# What must hold while a list changes under the person's hands, and when things go wrong.

import './harness.vim' as t
import autoload 'listd/client.vim'
import autoload 'listd/files.vim'
import autoload 'listd/maps.vim'
import autoload 'listd/view.vim'

g:listd_files_interval = 0
var opened = 0

def Settle(shown: dict<any>)
  var quiet = 0
  while quiet < 3
    client.Call(shown.client, 'getLists', {})
    sleep 2m
    quiet = empty(shown.client.pending) ? quiet + 1 : 0
  endwhile
enddef

def Go(lnum: number)
  cursor(lnum, 1)
  doautocmd CursorMoved
enddef

def Snapshot(rows: list<any>): dict<any>
  return {sections: [{id: 's', selectionMode: 'multiple', items: rows}]}
enddef

def Show(options: dict<any>, rows: list<any>): dict<any>
  ++opened
  var shown = view.Open($'list{opened}', options)
  view.Apply(shown, Snapshot(rows))
  Settle(shown)
  return shown
enddef

def Change(shown: dict<any>, rows: list<any>)
  view.Apply(shown, Snapshot(rows))
  Settle(shown)
enddef

def Selected(shown: dict<any>): list<any>
  var answer: list<any> = []
  view.Selected(shown, (found) => extend(answer, found))
  Settle(shown)
  return answer
enddef

def Marked(shown: dict<any>): list<string>
  return sign_getplaced(shown.buf, {group: 'listd'})[0].signs
    ->mapnew((_, placed) => getbufline(shown.buf, placed.lnum)[0])
enddef

t.Test('a key means the row that the line showed when it was pressed', () => {
  for [now, wanted] in [[['0', 'a', 'b', 'c'], ['b']], [['c', 'x', 'a', 'b'], ['b']], [['a', 'x', 'c'], []]]
    for known in [true, false]
      var shown = Show({}, ['a', 'b', 'c'])
      cursor(2, 1)
      if known
        Go(2)
        Settle(shown)
      endif
      view.Apply(shown, Snapshot(now))
      view.Select(shown, 'toggle')
      cursor(3, 1)
      Settle(shown)
      assert_equal(wanted, Selected(shown), string(now))
    endfor
  endfor
})

t.Test('keys that follow each other at once', () => {
  var rows = ['a', 'b', 'c']->mapnew((i, name) => ({id: i, template: 'Mark', name: name}))
  var shown = Show({templates: {Mark: '{selected:x|o} {name}'}}, rows)
  Go(1)
  feedkeys(' j j k ', 'xt')
  assert_equal(['a', 'c'], Selected(shown)->mapnew((_, item) => item.name))
  assert_equal(['x a', 'o b', 'x c'], getline(1, '$'))
  assert_equal(['x a', 'x c'], Marked(shown))
})

t.Test("a key is one request, and so is the cursor's movement", () => {
  var shown = Show({}, ['a', {id: 'b', text: "b\nb"}, 'c'])
  var log = tempname()
  var Requests = (Does: func) => {
    g:listd_log = log
    call(Does, [])
    Settle(shown)
    unlet g:listd_log
    var asked = readfile(log)->filter((_, line) => line =~ '^→')->map((_, line) => matchstr(line, '"method":"\zs\w*'))
    delete(log)
    return asked->filter((_, method) => method != 'getLists')
  }
  assert_equal(['select'], Requests(() => Go(3)))
  assert_equal([[0, 1], 1, 1], [shown.cursor, shown.cursor_line, shown.offset])
  assert_equal(['select'], Requests(() => Go(2)))
  assert_equal([], Requests(() => Go(2)))
  assert_equal(['select', 'locate'], Requests(() => view.Select(shown, 'toggle')), 'and the lines of the mark')
  assert_equal(['locate'], Requests(() => view.Item(shown, (_, _) => 0)))
  assert_equal([{id: 'b', text: "b\nb"}], Selected(shown))
})

t.Test('the Visual area stays on its rows', () => {
  var shown = Show({}, ['a', 'b', 'c', 'd', 'e'])
  Go(3)
  normal! Vj
  Change(shown, ['b', 'c', 'd', 'e'])
  assert_equal([2, 3, 'V'], [line('v'), line('.'), mode()])
  Change(shown, ['0', '1', 'b', 'c', 'd', 'e'])
  assert_equal([4, 5], [line('v'), line('.')])
  feedkeys(' ', 'xt')
  assert_equal(['c', 'd'], Selected(shown))
  assert_notequal('V', mode())
})

t.Test('a view outlives :bdelete, :bunload and :edit', () => {
  var dir = t.Folder({a: 1, b: 2, c: 3})
  for command in ['bdelete', 'bunload', 'edit']
    var shown = files.Open(dir)
    t.Wait('files', () => shown.count == len(readdir(dir)))
    Go(2)
    view.Select(shown, 'toggle')
    Settle(shown)
    v:errmsg = ''
    execute command
    t.Write($'{dir}/after {command}', 1)
    view.Refresh(shown)
    sleep 100m
    Settle(shown)
    assert_equal('', v:errmsg)
    assert_true(files.Open(dir) is shown)
    view.Refresh(shown)
    t.Wait('the text', () => shown.count == len(readdir(dir)) && getline(1) == 'a  1B')
    Settle(shown)
    assert_equal(1, len(Marked(shown)), command)
    assert_notequal('', maparg('R', 'n'))
    assert_equal([false, 'nofile', true], [&modifiable, &buftype, &buflisted])
    t.Write($'{dir}/then {command}', 1)
    view.Refresh(shown)
    t.Wait('the next change', () => shown.count == len(readdir(dir)))
    view.Select(shown, 'none')
    Settle(shown)
  endfor
})

t.Test('what something else has changed in the buffer is mended by R and by the next change', () => {
  var shown = Show({}, ['a', 'b', 'c'])
  Go(2)
  view.Select(shown, 'toggle')
  Settle(shown)
  for command in [':%delete', ':2substitute/b/x/', ':1move 2']
    setlocal modifiable
    execute command
    setlocal nomodifiable
    feedkeys('R', 'xt')
    Settle(shown)
    assert_equal([['a', 'b', 'c'], ['b']], [getline(1, '$'), Marked(shown)], command)
    setlocal modifiable
    execute command
    setlocal nomodifiable
    Change(shown, ['a', 'b', 'd'])
    assert_equal([['a', 'b', 'd'], ['b']], [getline(1, '$'), Marked(shown)], command)
    Change(shown, ['a', 'b', 'c'])
  endfor
})

t.Test('what is asked after a toggle knows of it', () => {
  var shown = Show({}, ['a', 'b', 'c'])
  cursor(2, 1)
  var answers: list<any> = []
  view.Select(shown, 'toggle')
  view.Selected(shown, (found) => answers->add(found))
  Settle(shown)
  assert_equal([['b']], answers)
})

t.Test('a callback that raises harms nobody else', () => {
  var got: list<string> = []
  var answers: list<any> = []
  var running = client.Start((_, _) => 0, (_) => 0, (why) => got->add(why))
  var Ask = (i: number) => {
    client.Request(running, 'getLists', {}, (err, result) => {
      answers->add(result)
      throw $'callback {i}'
    })
  }
  Ask(0)
  Ask(1)
  Ask(2)
  t.Wait('the answers', () => len(answers) == 3)
  assert_equal(['callback 0', 'callback 1', 'callback 2'], got)
  assert_true(empty(running.pending))
  client.Close(running)
})

t.Test('every request is answered: what is not JSON, or not in time', () => {
  var shown = Show({}, ['a'])
  var errors: list<any> = []
  view.Apply(shown, {items: [{id: 1, call: function('len')}]}, (err, _) => errors->add(err))
  t.Wait('the error', () => !empty(errors))
  assert_true(get(errors[0], 'invalid'), string(errors))
  g:listd_timeout = 100
  var running = client.Start((_, _) => 0, (_) => 0)
  unlet g:listd_timeout
  job_stop(running.job, 19)
  client.Request(running, 'getLists', {}, (err, _) => errors->add(err))
  t.Wait('the time limit', () => len(errors) == 2)
  assert_true(get(errors[1], 'timeout'), string(errors))
  job_stop(running.job, 18)
  assert_equal({lists: []}, client.Call(running, 'getLists', {}))
  client.Close(running)
})

t.Test('views with the same list or the same template names', () => {
  var first = Show({templates: {Entry: 'P<{text}>'}}, [{id: 1, template: 'Entry', text: 'one'}])
  var second = view.Open(first.list, {templates: {Entry: 'Q<{text}>'}})
  view.Apply(second, {items: [{id: 2, template: 'Entry', text: 'two'}]})
  Settle(second)
  Settle(first)
  assert_equal(['P<one>'], getbufline(first.buf, 1, '$'))
  assert_equal(['Q<two>'], getbufline(second.buf, 1, '$'))
  var third = view.Open('other', {templates: {Entry: 'P<{text}>'}})
  assert_true(third.client is first.client, 'views that agree share a daemon')
  var own = view.Open('other', {namespace: 'mine'})
  assert_true(own.client isnot first.client)
  for other in [second, third, own]
    execute 'bwipeout!' other.buf
  endfor
  assert_equal(['P<one>'], getbufline(first.buf, 1, '$'))
})

t.Test('Done is called when the text is there', () => {
  var shown = view.Open('done', {})
  var seen: list<string> = []
  for rows in [['a', 'b'], ['a', 'b'], ['b', 'a'], ['c']]
    view.Apply(shown, {items: rows}, (err, _) => {
      seen->add(empty(err) ? getbufline(shown.buf, 1, '$')->join('') : string(err))
    })
  endfor
  Settle(shown)
  assert_equal(['ab', 'ab', 'ba', 'c'], seen)
})

t.Test('a row that moves takes along its sign, foreign signs and properties, and cursors', () => {
  var rows = range(1, 30)->mapnew((_, i) => $'row {i}')
  var shown = Show({}, rows)
  Go(20)
  view.Select(shown, 'toggle')
  Settle(shown)
  sign_define('foreign', {text: '!'})
  sign_place(78, 'somebody', 'foreign', shown.buf, {lnum: 20})
  prop_type_add('foreign', {bufnr: shown.buf})
  prop_add(20, 3, {type: 'foreign', length: 2})
  split
  Go(5)
  Settle(shown)
  wincmd j
  assert_equal(20, line('.'))
  wincmd k
  rows->insert(rows->remove(19), 0)
  rows->insert(rows->remove(7), 29)
  var at_once: list<any> = []
  shown.options.Changed = (_, _) => {
    at_once->add(Marked(shown))
  }
  Change(shown, rows)
  remove(shown.options, 'Changed')
  assert_equal(rows, getline(1, '$'))
  assert_equal([['row 20']], at_once, 'no flicker')
  assert_equal(['row 20'], Marked(shown))
  var signs = sign_getplaced(shown.buf, {group: 'somebody'})[0].signs
  assert_equal([1], signs->mapnew((_, placed) => placed.lnum))
  assert_equal([[3, 2]], prop_list(1)->mapnew((_, prop) => [prop.col, prop.length]))
  assert_equal('row 5', getline('.'))
  wincmd j
  assert_equal('row 20', getline('.'))
  only
})

t.Test('moves: 200 random orders and texts, with signs', () => {
  var seed = srand(11)
  var Random = (below: number): number => rand(seed) % below
  var rows = range(12)->mapnew((_, i) => ({id: i, text: $'row {i}' .. (i % 3 == 0 ? "\nmore" : '')}))
  var shown = Show({}, rows)
  for lnum in range(1, line('$'))
    var found = matchlist(getline(lnum), '^row \(\d\+\)')
    if !empty(found)
      sign_place(1000 + str2nr(found[1]), 'moves', 'foreign', shown.buf, {lnum: lnum})
    endif
  endfor
  for round in range(200)
    for _ in range(1 + Random(4))
      var row = rows->remove(Random(len(rows)))
      if Random(3) == 0
        row = {id: row.id, text: substitute(row.text, '^row \d\+\( \d\+\)\=', $'row {row.id} {round}', '')}
      endif
      rows->insert(row, Random(len(rows) + 1))
    endfor
    Change(shown, rows)
    var wanted: list<string> = []
    var signs: list<list<number>> = []
    for row in rows
      signs->add([1000 + row.id, len(wanted) + 1])
      wanted += split(row.text, "\n")
    endfor
    assert_equal(wanted, getline(1, '$'), $'round {round}')
    # Vim shows only signs that it has in the order of their lines.
    assert_equal(signs, sign_getplaced(shown.buf, {group: 'moves'})[0].signs
      ->mapnew((_, placed) => [placed.id, placed.lnum]), $'round {round}')
  endfor
  bwipeout!
})

t.Test("a row that moves and gets another text keeps its sign, its fold and the other window's cursor", () => {
  var rows = range(1, 10)->mapnew((_, i) => ({id: i, text: $'row {i}'}))
  rows[1].text = "row 2\nmore"
  var shown = Show({}, rows)
  Go(2)
  view.Select(shown, 'toggle')
  Settle(shown)
  :2,3fold
  split
  Go(8)
  Settle(shown)
  remove(rows, 1)
  rows->add({id: 2, text: "another name\nless"})
  var at_once: list<any> = []
  shown.options.Changed = (_, _) => {
    at_once->add(Marked(shown))
  }
  Change(shown, rows)
  assert_equal([['another name', 'less']], at_once, 'no flicker')
  assert_equal('row 7', getline('.'))
  wincmd j
  assert_equal('another name', getline('.'))
  assert_equal([10, 11], [foldclosed(10), foldclosedend(10)])
  only
})

t.Test('lines of one row, and rows of one item, are toggled once', () => {
  var shown = Show({}, [{id: 'a', text: "1\n2\n3"}, {id: 'b', parts: ['x', 'y']}, 'c'])
  Go(2)
  feedkeys('Vjj ', 'xt')
  assert_equal(2, len(Selected(shown)))
})

t.Test('a change of one line does not mark all the others again', () => {
  var rows = range(1, 4000)->mapnew((_, i) => ({id: i, text: $'row {i}'}))
  var shown = Show({}, rows)
  client.Call(shown.client, 'select', {list: shown.list, action: 'replace', items: range(1, 4000, 2)})
  t.Wait('all marks', () => len(Marked(shown)) == 2000)
  Settle(shown)
  var known = sign_getplaced(shown.buf, {group: 'listd'})[0].signs->mapnew((_, sign) => sign.id)->sort('n')
  for item in [{id: 7, text: 'seven'}, {id: 8, text: 'eight'}]
    view.EditItems(shown, [{edit: 'updateItems', items: [item]}])
    Settle(shown)
  endfor
  Go(12)
  view.Select(shown, 'toggle')
  Settle(shown)
  var now = sign_getplaced(shown.buf, {group: 'listd'})[0].signs->mapnew((_, sign) => sign.id)->sort('n')
  assert_equal(2001, len(now))
  assert_equal(known, now[: 1999], 'the signs that were there')
})

t.Test('selections from elsewhere: single rows, parts, templates that show them or not', () => {
  var shown = Show({templates: {Box: '{selected:x|o} {text}'}}, ['a',
    {id: 'b', template: 'Box', text: 'b'}, {id: 'c', text: 'c', parts: ['1', '2']}, 'd'])
  view.Select(shown, 'all')
  Settle(shown)
  assert_equal(['a', 'x b', '1', '2', 'd'], Marked(shown))
  client.Call(shown.client, 'select', {list: shown.list, action: 'deselect', items: ['c', 'b']})
  Settle(shown)
  assert_equal(['a', 'd'], Marked(shown))
  view.Apply(shown, {items: ['a', 'd', 'e'], selected: ['e']})
  Settle(shown)
  assert_equal(['e'], Marked(shown))
})

t.Finish()
