vim9script
# What must hold while a list changes under the person's hands, and when things go wrong.

import './harness.vim' as t
import autoload 'listd/client.vim'
import autoload 'listd/files.vim'
import autoload 'listd/maps.vim'
import autoload 'listd/view.vim'

t.Test('a key means the row that the line showed when it was pressed', () => {
  for [now, wanted] in [[['0', 'a', 'b', 'c'], ['b']], [['c', 'x', 'a', 'b'], ['b']], [['a', 'x', 'c'], []]]
    for known in [true, false]
      var shown = t.Show({}, ['a', 'b', 'c'])
      cursor(2, 1)
      if known
        t.Go(2)
        t.Settle(shown)
      endif
      view.Apply(shown, t.Snapshot(now))
      view.Select(shown, 'toggle')
      cursor(3, 1)
      t.Settle(shown)
      assert_equal(wanted, t.Selected(shown), string(now))
    endfor
  endfor
})

def WithRows(rows: list<any>): dict<any>
  var b = {id: 'b', text: 'B', parts: [{id: 1, text: 'x'}, {id: 2, text: 'y'}]}
  return {sections: [{id: 'zero', items: rows}, {id: 'one', header: 'One', items: ['a', b]}]}
enddef

# What is under the cursor in a line, asked for when a change is under way.
def UnderCursor(lnum: number, known: bool): list<any>
  var shown = t.Show({}, [])
  view.Apply(shown, WithRows([]))
  t.Settle(shown)
  assert_equal(['One', 'a', 'x', 'y'], getline(1, '$'))
  cursor(lnum, 1)
  if known
    t.Go(lnum)
    t.Settle(shown)
  endif
  var got: list<any> = []
  view.Apply(shown, WithRows(['0', '00']))
  view.Item(shown, (item, place) => extend(got, [item, place]))
  t.Settle(shown)
  return [get(got[1], 'header', false) ? 'header' : type(got[0]) == v:t_dict ? got[0].id : got[0],
    get(get(got[1], 'part', {}), 'id', 0), got[1].section]
enddef

t.Test('what is under the cursor is what the line showed, also headers and parts', () => {
  for [lnum, wanted] in [[1, ['header', 0]], [2, ['a', 0]], [3, ['b', 1]], [4, ['b', 2]]]
    assert_equal(wanted + ['one'], UnderCursor(lnum, true))
    assert_equal(wanted + ['one'], UnderCursor(lnum, false))
  endfor
})

t.Test('keys that follow each other at once', () => {
  var rows = ['a', 'b', 'c']->mapnew((i, name) => ({id: i, template: 'Mark', name: name}))
  var shown = t.Show({templates: {Mark: '{selected:x|o} {name}'}}, rows)
  t.Go(1)
  feedkeys(' j j k ', 'xt')
  assert_equal(['a', 'c'], t.Selected(shown)->mapnew((_, item) => item.name))
  assert_equal(['x a', 'o b', 'x c'], getline(1, '$'))
  assert_equal(['x a', 'x c'], t.Marked(shown))
})

t.Test("a key is one request, and so is the cursor's movement", () => {
  var shown = t.Show({}, ['a', {id: 'b', text: "b\nb"}, 'c'])
  var log = tempname()
  var Requests = (Does: func) => {
    g:listd_log = log
    call(Does, [])
    t.Settle(shown)
    unlet g:listd_log
    var asked = readfile(log)->filter((_, line) => line =~ '^→')->map((_, line) => matchstr(line, '"method":"\zs\w*'))
    delete(log)
    return asked->filter((_, method) => method != 'getLists')
  }
  assert_equal(['select'], Requests(() => t.Go(3)))
  assert_equal([[0, 1], 2], [shown.cursor, shown.cursor_line])
  assert_equal(['select'], Requests(() => t.Go(2)))
  assert_equal([], Requests(() => t.Go(2)))
  assert_equal(['select', 'locate'], Requests(() => view.Select(shown, 'toggle')), 'and the lines of the mark')
  assert_equal(['locate'], Requests(() => view.Item(shown, (_, _) => 0)))
  assert_equal([{id: 'b', text: "b\nb"}], t.Selected(shown))
})

t.Test('in a row of several lines the cursor stays on its line, and goes to the first line of another row', () => {
  var Row = (id, text) => ({id: id, text: text})
  var [tall, next, last] = [Row(1, "1\n2\n3\n4\n5"), Row(2, "a\nb\nc"), Row(3, 'x')]
  for [rows, line] in [
      [[next, last], 'a'],  # its row is deleted
      [[Row(2, "A\nB\nC"), last], 'A'],  # and the next one changes
      [[last, next, tall], '4'],
      [[Row(1, "1\n2\nthree\nfour\nfive"), next], 'four'],
      [[Row(0, "0\n0"), Row(1, "1\n2"), next], '2'],  # the last one of a row that has fewer lines now
      [[Row(1, "0\n1\n2\n3\n4\n5"), next], '3'],  # the line in the row counts, not its text
      [[], '']]
    var shown = t.Show({}, [tall, next, last])
    t.Go(4)
    t.Settle(shown)
    t.Change(shown, rows)
    assert_equal(line, getline('.'))
    assert_equal(line('.') - 1, empty(rows) ? 0 : shown.cursor_line, 'what the next key means')
    execute 'bwipeout!' shown.buf
  endfor
})

t.Test('the Visual area stays on its rows', () => {
  var shown = t.Show({}, ['a', 'b', 'c', 'd', 'e'])
  t.Go(3)
  normal! Vj
  t.Change(shown, ['b', 'c', 'd', 'e'])
  assert_equal([2, 3, 'V'], [line('v'), line('.'), mode()])
  t.Change(shown, ['0', '1', 'b', 'c', 'd', 'e'])
  assert_equal([4, 5], [line('v'), line('.')])
  t.Change(shown, ['e', '0', 'c', '1', 'd', 'b'])
  assert_equal([3, 5, 'V'], [line('v'), line('.'), mode()])
  t.Change(shown, ['0', '1', 'b', 'c', 'd', 'e'])
  feedkeys(' ', 'xt')
  assert_equal(['c', 'd'], t.Selected(shown))
  assert_notequal('V', mode())
})

t.Test('a view outlives :bdelete, :bunload and :edit', () => {
  var dir = t.Folder({a: 1, b: 2, c: 3})
  for command in ['bdelete', 'bunload', 'edit']
    var shown = files.Open(dir)
    t.Wait('files', () => shown.count == len(readdir(dir)))
    t.Go(2)
    view.Select(shown, 'toggle')
    t.Settle(shown)
    v:errmsg = ''
    execute command
    t.Write($'{dir}/after {command}', 1)
    view.Refresh(shown)
    sleep 100m
    t.Settle(shown)
    assert_equal(['', command == 'edit'], [v:errmsg, bufloaded(shown.buf) == 1], 'it is loaded when it is shown')
    assert_true(files.Open(dir) is shown)
    view.Refresh(shown)
    t.Wait('the text', () => shown.count == len(readdir(dir)) && getline(1) == 'a  1B')
    t.Settle(shown)
    assert_equal(1, len(t.Marked(shown)), command)
    assert_notequal('', maparg('R', 'n'))
    assert_equal([false, 'nofile', true], [&modifiable, &buftype, &buflisted])
    t.Write($'{dir}/then {command}', 1)
    view.Refresh(shown)
    t.Wait('the next change', () => shown.count == len(readdir(dir)))
    view.Select(shown, 'none')
    t.Settle(shown)
  endfor
})

t.Test('what something else has changed in the buffer is mended by R and by the next change', () => {
  var shown = t.Show({}, ['a', 'b', 'c'])
  t.Go(2)
  view.Select(shown, 'toggle')
  t.Settle(shown)
  for command in [':%delete', ':2substitute/b/x/', ':1move 2']
    setlocal modifiable
    execute command
    setlocal nomodifiable
    feedkeys('R', 'xt')
    t.Settle(shown)
    assert_equal([['a', 'b', 'c'], ['b']], [getline(1, '$'), t.Marked(shown)], command)
    setlocal modifiable
    execute command
    setlocal nomodifiable
    t.Change(shown, ['a', 'b', 'd'])
    assert_equal([['a', 'b', 'd'], ['b']], [getline(1, '$'), t.Marked(shown)], command)
    t.Change(shown, ['a', 'b', 'c'])
  endfor
})

t.Test('what is asked after a toggle knows of it', () => {
  var shown = t.Show({}, ['a', 'b', 'c'])
  cursor(2, 1)
  var answers: list<any> = []
  view.Select(shown, 'toggle')
  view.Selected(shown, (found) => answers->add(found))
  t.Settle(shown)
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
  var shown = t.Show({}, ['a'])
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
  running.patience = 5000  # the machine may be busy
  assert_equal({lists: []}, client.Call(running, 'getLists', {}))
  client.Close(running)
})

t.Test('views with the same list or the same template names', () => {
  var first = t.Show({templates: {Entry: 'P<{text}>'}}, [{id: 1, template: 'Entry', text: 'one'}])
  var second = view.Open(first.list, {templates: {Entry: 'Q<{text}>'}})
  view.Apply(second, {items: [{id: 2, template: 'Entry', text: 'two'}]})
  t.Settle(second)
  t.Settle(first)
  assert_equal(['P<one>'], getbufline(first.buf, 1, '$'))
  assert_equal(['Q<two>'], getbufline(second.buf, 1, '$'))
  var third = view.Open('other', {templates: {Entry: 'P<{text}>'}})
  assert_true(third.client is first.client, 'views that agree share a daemon')
  var own = view.Open('other', {namespace: 'mine'})
  assert_true(own.client isnot first.client)
  var same = view.Open(first.list, {templates: {Entry: 'P<{text}>'}})
  view.Apply(same, {items: [{id: 3, template: 'Entry', text: 'three'}]})
  var another = view.Open('another', {templates: {Entry: 'R<{text}>'}})
  view.Apply(another, {items: [{id: 4, template: 'Entry', text: 'four'}]})
  view.Apply(first, {items: [{id: 5, template: 'Entry', text: 'five'}]})
  for shown in [same, another, first]
    t.Settle(shown)
  endfor
  assert_equal([['P<three>'], ['R<four>'], ['P<five>']],
    [same, another, first]->mapnew((_, shown) => getbufline(shown.buf, 1, '$')))
  for other in [second, third, own, same, another]
    execute 'bwipeout!' other.buf
  endfor
  assert_equal(['P<five>'], getbufline(first.buf, 1, '$'))
})

t.Test('Done is called when the text is there', () => {
  var shown = view.Open('done', {})
  var seen: list<string> = []
  for rows in [['a', 'b'], ['a', 'b'], ['b', 'a'], ['c']]
    view.Apply(shown, {items: rows}, (err, _) => {
      seen->add(empty(err) ? getbufline(shown.buf, 1, '$')->join('') : string(err))
    })
  endfor
  t.Settle(shown)
  assert_equal(['ab', 'ab', 'ba', 'c'], seen)
})

t.Test('lines of one row, and rows of one item, are toggled once', () => {
  var shown = t.Show({}, [{id: 'a', text: "1\n2\n3"}, {id: 'b', parts: ['x', 'y']}, 'c'])
  t.Go(2)
  feedkeys('Vjj ', 'xt')
  assert_equal(2, len(t.Selected(shown)))
})

t.Test('an item on both sides of an edge of a slice is toggled once, even if the list changes in between', () => {
  for row in [{id: 250, text: "a\nb\nc"}, {id: 250, parts: ['a', 'b', 'c']}]
    var rows: list<any> = range(1, 270)->mapnew((_, id) => ({id: id, text: $'row {id}'}))
    rows[249] = row
    var shown = t.Show({}, rows)
    t.Go(1)
    feedkeys('VG ', 'xt')
    view.EditItems(shown, [{edit: 'insertItems', items: ['new', 'newer'], before: 100}, {edit: 'deleteItems', items: [7]}])
    t.Settle(shown)
    assert_equal(269, len(t.Selected(shown)))
    assert_equal(271, len(t.Marked(shown)))
  endfor
})

t.Finish()
