vim9script
# Rows that move, with what belongs to them, and the signs of selected rows.

import './harness.vim' as t
import autoload 'listd/buffer.vim'
import autoload 'listd/client.vim'
import autoload 'listd/edits.vim'
import autoload 'listd/selection.vim'
import autoload 'listd/view.vim'

t.Test('a row that moves takes along its sign, foreign signs and properties, and cursors', () => {
  var rows = range(1, 30)->mapnew((_, i) => $'row {i}')
  var shown = t.Show({}, rows)
  t.Go(20)
  view.Select(shown, 'toggle')
  t.Settle(shown)
  sign_define('foreign', {text: '!'})
  sign_place(78, 'somebody', 'foreign', shown.buf, {lnum: 20})
  prop_type_add('foreign', {bufnr: shown.buf})
  prop_add(20, 3, {type: 'foreign', length: 2})
  split
  t.Go(5)
  t.Settle(shown)
  wincmd j
  assert_equal(20, line('.'))
  wincmd k
  rows->insert(rows->remove(19), 0)
  rows->insert(rows->remove(7), 29)
  var at_once: list<any> = []
  shown.options.Changed = (_, _) => {
    at_once->add(t.Marked(shown))
  }
  t.Change(shown, rows)
  remove(shown.options, 'Changed')
  assert_equal(rows, getline(1, '$'))
  assert_equal([['row 20']], at_once, 'no flicker')
  assert_equal(['row 20'], t.Marked(shown))
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
  var shown = t.Show({}, rows)
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
    t.Change(shown, rows)
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

t.Test('long blocks of rows move with their signs and properties', () => {
  enew
  setlocal buftype=nofile undolevels=-1
  var buf = bufnr()
  sign_define('foreign')
  prop_type_add('block', {bufnr: buf, highlight: 'Search'})
  var texts = range(3000)->mapnew((_, i) => $'row {i}')
  setline(1, texts)
  for i in range(0, 2999, 10)
    sign_place(1 + i, 'block', 'foreign', buf, {lnum: i + 1})
    prop_add(i + 1, 1, {type: 'block', length: 3, id: i})
  endfor
  # The rows 1000 to 1999 move to the top, 2100 to 2149 to the end; row 5 is deleted, others are new or changed.
  var first = texts[1000 : 1999]
  first[30] = 'row 1030 changed'
  var last = texts[2100 : 2149]
  var count = edits.Apply(buf, 3000, [
    {first: 0, last: 0, lines: first + ['new']},
    {first: 5, last: 6, lines: []},
    {first: 1000, last: 2000, lines: []},
    {first: 2100, last: 2151, lines: ['row 2150 changed']},
    {first: 3000, last: 3000, lines: last},
  ], (_, _) => 0, edits.Moves([{from: 2100, to: 2950, count: 50}, {from: 1000, to: 0, count: 1000}]))
  var wanted = first + ['new'] + texts[: 4] + texts[6 : 999] + texts[2000 : 2099] + ['row 2150 changed']
    + texts[2151 :] + last
  assert_equal(wanted, getline(1, '$'))
  assert_equal(len(wanted), count)
  for sign in sign_getplaced(buf, {group: 'block'})[0].signs
    assert_match($'^row {sign.id - 1}\( changed\)\=$', getline(sign.lnum))
  endfor
  var props = prop_list(1, {bufnr: buf, end_lnum: -1})
  assert_equal(300, len(props))
  for prop in props
    assert_match($'^row {prop.id}\( changed\)\=$', getline(prop.lnum))
  endfor
  assert_equal(300, len(sign_getplaced(buf, {group: 'block'})[0].signs))
  bwipeout!
})

t.Test("a row that moves and gets another text keeps its sign, its fold and the other window's cursor", () => {
  var rows = range(1, 10)->mapnew((_, i) => ({id: i, text: $'row {i}'}))
  rows[1].text = "row 2\nmore"
  var shown = t.Show({}, rows)
  t.Go(2)
  view.Select(shown, 'toggle')
  t.Settle(shown)
  :2,3fold
  split
  t.Go(8)
  t.Settle(shown)
  remove(rows, 1)
  rows->add({id: 2, text: "another name\nless"})
  var at_once: list<any> = []
  shown.options.Changed = (_, _) => {
    at_once->add(t.Marked(shown))
  }
  t.Change(shown, rows)
  assert_equal([['another name', 'less']], at_once, 'no flicker')
  assert_equal('row 7', getline('.'))
  wincmd j
  assert_equal('another name', getline('.'))
  assert_equal([10, 11], [foldclosed(10), foldclosedend(10)])
  only
})

t.Test('rows move out of closed folds and into them alone', () => {
  var shown = t.Show({}, ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  :2,4fold
  t.Go(7)
  t.Settle(shown)
  t.Change(shown, ['a', 'b', 'd', 'e', 'f', 'c', 'g'])
  assert_equal(['a', 'b', 'd', 'e', 'f', 'c', 'g'], getline(1, '$'))
  assert_equal([2, 3, true], [foldclosed(2), foldclosedend(2), &foldenable])
  t.Change(shown, ['a', 'b', 'f', 'd', 'e', 'c', 'g'])
  assert_equal(['a', 'b', 'f', 'd', 'e', 'c', 'g'], getline(1, '$'))
  assert_equal('g', getline('.'))
})

t.Test('a change of one line does not mark all the others again', () => {
  var rows = range(1, 4000)->mapnew((_, i) => ({id: i, text: $'row {i}'}))
  var shown = t.Show({}, rows)
  client.Call(shown.client, 'select', {list: shown.list, action: 'replace', items: range(1, 4000, 2)})
  t.Wait('all marks', () => len(t.Marked(shown)) == 2000)
  t.Settle(shown)
  var known = sign_getplaced(shown.buf, {group: 'listd'})[0].signs->mapnew((_, sign) => sign.id)->sort('n')
  for item in [{id: 7, text: 'seven'}, {id: 8, text: 'eight'}]
    view.EditItems(shown, [{edit: 'updateItems', items: [item]}])
    t.Settle(shown)
  endfor
  t.Go(12)
  view.Select(shown, 'toggle')
  t.Settle(shown)
  var now = sign_getplaced(shown.buf, {group: 'listd'})[0].signs->mapnew((_, sign) => sign.id)->sort('n')
  assert_equal(2001, len(now))
  assert_equal(known, now[: 1999], 'the signs that were there')
})

t.Test('selections from elsewhere: single rows, parts, templates that show them or not', () => {
  var shown = t.Show({templates: {Box: '{selected:x|o} {text}'}}, ['a',
    {id: 'b', template: 'Box', text: 'b'}, {id: 'c', text: 'c', parts: ['1', '2']}, 'd'])
  view.Select(shown, 'all')
  t.Settle(shown)
  assert_equal(['a', 'x b', '1', '2', 'd'], t.Marked(shown))
  client.Call(shown.client, 'select', {list: shown.list, action: 'deselect', items: ['c', 'b']})
  t.Settle(shown)
  assert_equal(['a', 'd'], t.Marked(shown))
  view.Apply(shown, {items: ['a', 'd', 'e'], selected: ['e']})
  t.Settle(shown)
  assert_equal(['e'], t.Marked(shown))
})

# Waits until the odd rows are marked, without those from 1001 to a last one.
def ExpectOdd(shown: dict<any>, rows: list<any>, last: number)
  var wanted = copy(rows)->filter((_, row) => row.id % 2 == 1 && (row.id < 1001 || row.id > last))
    ->mapnew((_, row) => row.text)
  t.Wait('the signs', () => t.Marked(shown) == wanted)
enddef

t.Test('signs of many rows, of which many are deleted, deselected and updated', () => {
  var rows = range(1, 4000)->mapnew((_, i) => ({id: i, text: $'row {i}'}))
  var shown = t.Show({}, rows)
  client.Call(shown.client, 'select', {list: shown.list, action: 'replace', items: range(1, 4000, 2)})
  ExpectOdd(shown, rows, 0)
  view.EditItems(shown, [{edit: 'deleteItems', items: range(100, 999)}])
  filter(rows, (_, row) => row.id < 100 || row.id > 999)
  ExpectOdd(shown, rows, 0)
  client.Call(shown.client, 'select', {list: shown.list, action: 'deselect', items: range(1001, 1401, 2)})
  ExpectOdd(shown, rows, 1401)
  map(rows, (_, row) => row.id > 1300 && row.id <= 1600 ? {id: row.id, text: $'new {row.id}'} : row)
  view.EditItems(shown, [{edit: 'updateItems', items: copy(rows)->filter((_, row) => row.text =~ 'new')}])
  ExpectOdd(shown, rows, 1401)
})

# The number of selected rows after an action with lines.
def Count(shown: dict<any>, action: string, first: number, last: number): number
  var answer: list<any> = []
  view.SelectLines(shown, action, first, last)
  view.Selected(shown, (found) => extend(answer, found))
  t.Wait('the selection', () => !empty(answer))
  return len(answer)
enddef

t.Test('many lines are selected in slices, each row once, before what is asked next', () => {
  var shown = t.Show({}, ['first'] + range(1, 700)->mapnew((_, i) => ({id: i, text: $"row {i}\nmore"})))
  assert_equal(700, Count(shown, 'toggle', 2, 1401))
  assert_equal(200, Count(shown, 'toggle', 3, 1001))
  assert_equal(701, Count(shown, 'select', 1, 1401))
  assert_equal(650, Count(shown, 'replace', 102, 1401))
  assert_equal(1, Count(shown, 'deselect', 1, 1399))
  t.Settle(shown)
  assert_equal(2, len(t.Marked(shown)))
})

# A random selection of three sections, and its rows.
def RandomSelection(seed: list<number>, most: number): list<any>
  var ranges: list<dict<any>> = []
  for section in range(3)
    var row = rand(seed) % 4
    while row < most
      var count = rand(seed) % 4 == 0 ? 1 + rand(seed) % 12 : 1
      ranges->add({at: [section, row], count: count})
      row += count + 1 + rand(seed) % 3
    endwhile
  endfor
  return [selection.Of({selection: ranges}), ranges, RowsOf(ranges)]
enddef

def RowsOf(ranges: list<any>): list<string>
  var rows: list<string> = []
  for range in ranges
    rows += range(range.count)->mapnew((_, i) => $'{range.at[0]} {range.at[1] + i}')
  endfor
  return rows->sort()
enddef

def Without(these: list<string>, those: list<string>): list<string>
  return copy(these)->filter((_, row) => index(those, row) < 0)
enddef

t.Test('selections: 100 random ones, as the plainest way reads them', () => {
  var seed = srand(3)
  var [other, _, others] = RandomSelection(seed, 50)
  for round in range(1, 200, 2)
    var [text, ranges, rows] = RandomSelection(seed, round)
    assert_equal([len(rows), !empty(rows)], [selection.Rows(text), text != selection.NONE])
    var got: list<any> = []
    var stop = len(text) - 1
    while stop > 1
      var [some, first] = selection.Before(text, stop, 200)
      got = some + got
      stop = first
    endwhile
    assert_equal(ranges, got)
    for _ in range(5)
      var path = [rand(seed) % 3, rand(seed) % (round + 3)]
      assert_equal(index(rows, $'{path[0]} {path[1]}') >= 0, selection.Holds(text, path))
    endfor
    assert_equal([Without(rows, others), Without(others, rows)],
      selection.Compare(text, other)->mapnew((_, some) => RowsOf(some)))
    # One that differs little: all rows of one range more.
    var changed = copy(ranges)
    var removed = empty(changed) ? [] : [changed->remove(rand(seed) % len(changed))]
    assert_equal([RowsOf(removed), []],
      selection.Compare(text, selection.Of({selection: changed}))->mapnew((_, some) => RowsOf(some)))
    [other, others] = [text, rows]
  endfor
})

t.Test("a large selection is decoded when it is read, and an item's member of that name is not taken for it", () => {
  var ranges = range(400)->mapnew((_, i) => ({at: [0, 2 * i + 1], count: 1}))
  var shown = t.Show({}, range(1, 400)->mapnew((_, i) => ({id: i, text: $'row {i}'})))
  client.Call(shown.client, 'applySnapshot', {list: 'odd', items: [{id: 1, selection: ranges}]})
  var got = client.Call(shown.client, 'getSnapshot', {list: 'odd'})
  assert_equal([[], ranges], [got.selection, got.sections[0].items[0].selection])
  client.Call(shown.client, 'removeList', {list: 'odd'})
  var read: list<any> = []
  shown.options.Changed = (_, change) => extend(read, [change.selection])
  client.Call(shown.client, 'select', {list: shown.list, action: 'replace', items: range(1, 400, 2)})
  view.EditItems(shown, [{edit: 'insertItems', before: 2, items: ['new']}], (_, change) => extend(read, [change.selection]))
  t.Settle(shown)
  assert_equal([200, {at: [0, 0], count: 1}, {at: [0, 3], count: 1}], [len(read[0]), read[0][0], read[0][1]])
  assert_equal(read[0], read[1])
  # Of a message with a large selection, no more is decoded than what else it has.
  var text = json_encode({params: {selection: 0, list: 'l'}})->substitute('0', selection.Of({selection: ranges}), '')
  assert_equal([v:t_string, 'l'], [type(selection.Decode(text).params.selection), selection.Decode(text).params.list])
})

t.Test('the cursor of a list without text edits, as while a large snapshot is sent', () => {
  var shown = t.Show({}, ['a', 'b'])
  buffer.Notified(shown, 'didSelect', {selection: [], cursor: [0, 1]})
  assert_equal([[0, 1], 1], [shown.cursor, line('.')])
  execute 'bwipeout!' shown.buf
})

t.Test('a shuffle: rows, marks and cursors are right, and its many moves are decoded when they are read', () => {
  var rows = range(1, 1500)->mapnew((_, id) => ({id: id, text: $'row {id}'}))
  var shown = t.Show({}, rows)
  client.Call(shown.client, 'select', {list: shown.list, action: 'replace', items: range(1, 1500, 2)})
  t.Settle(shown)
  t.Go(7)
  t.Settle(shown)
  var read: list<any> = []
  shown.options.Changed = (_, change) => extend(read, change.moves)
  var seed = srand(5)
  for i in range(1499, 1, -1)
    var other = rand(seed) % (i + 1)
    [rows[i], rows[other]] = [rows[other], rows[i]]
  endfor
  rows->remove(700)
  t.Change(shown, rows + ['new'])
  t.Wait('the marks', () => !shown.whole)
  assert_equal(rows->mapnew((_, row) => row.text) + ['new'], getbufline(shown.buf, 1, '$'))
  assert_equal(rows->copy()->filter((_, row) => row.id % 2 == 1)->mapnew((_, row) => row.text), t.Marked(shown))
  assert_equal('row 7', getline('.'))
  assert_equal([true, v:t_number], [len(read) > 1000, type(read[0].from)])
  var many = range(400)->mapnew((_, i) => $'{{"from":{i},"to":0,"count":1}}')->join(',')
  var text = $'{{"params":{{"moves":[{many}],"list":"l"}}}}'
  assert_equal([v:t_string, 'l'], [type(selection.Decode(text).params.moves), selection.Decode(text).params.list])
})

t.Finish()
