vim9script
# Long lists: they are sent, read and shown in parts, so that a key waits for none of it.

import './harness.vim' as t
import autoload 'listd/client.vim'
import autoload 'listd/edits.vim'
import autoload 'listd/view.vim'

const ROWS = 20000
const MOST_LINES = 1000  # of one step
const MOST_BYTES = 100000

var program = empty($LISTD) ? 'listd' : $LISTD
# Vim has a lock on the folder of temporary files.
var folder = tempname()
mkdir(folder, '', 0o700)
var socket = folder .. '/socket'
var log = folder .. '/log'
system($'{program} connect --start {socket} --exit-when-idle 20 </dev/null')
g:listd_connect = socket
var other = client.Start((_, _) => 0, (_) => 0)

def Rows(first: number, last: number): list<any>
  return range(first, last)->mapnew((_, i) => ({id: i, text: $'row {i}'}))
enddef

def Snapshot(items: any): dict<any>
  return {sections: [{id: 's', selectionMode: 'multiple', items: items}]}
enddef

def Texts(items: any): list<string>
  return items->mapnew((_, item) => item.text)
enddef

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

# The largest message from now on, and how many texts are asked for.
def LogAnew()
  delete(log)
  g:listd_log = log
enddef

def Logged(): dict<number>
  g:listd_log = ''
  var lines = readfile(log)
  return {bytes: lines->mapnew((_, line) => len(line))->max(),
    texts: lines->copy()->filter((_, line) => line =~ '^→.*"getText"')->len()}
enddef

# The most lines that changed at once.
def Most(count: dict<any>, buf: number): number
  listener_flush(buf)
  return count.ranges->mapnew((_, range) => max([range[1] - range[0], range[1] - range[0] + range[2]]))->max()
enddef

def Call(method: string, params: any): any
  return client.Call(other, method, params)
enddef

# Opens a list that is there, and waits until some of it is shown.
def Opened(list: string, items: any, params: dict<any> = {}): dict<any>
  Call('applySnapshot', extendnew(params, Snapshot(items))->extend({list: list, format: 'none'}))
  LogAnew()
  var shown = view.Open(list, {})
  t.Wait('the first lines', () => shown.count > 0)
  assert_true(shown.count < ROWS / 2, 'all lines came at once')
  return shown
enddef

def AllRead(shown: dict<any>)
  t.Wait('all lines', () => shown.text_revision >= 0 && !shown.rereading)
  Settle(shown)
enddef

def TextOf(list: string): list<string>
  return edits.Lines(Call('getText', {list: list}).text)
enddef

t.Test("another program's list is read in windows, and keys mean what is shown meanwhile", () => {
  var shown = Opened('long', Rows(1, ROWS))
  var count = t.Touched(shown.buf)
  Go(100)
  view.Select(shown, 'toggle')
  var got: list<any> = []
  var lines = 0
  view.Act(shown, (items, _) => {
    got = items
    lines = shown.count
  })
  t.Wait('the answer', () => !empty(got))
  assert_equal(100, got[0].id)
  assert_true(lines < ROWS, 'answered after the opening')
  assert_equal(Texts(Rows(1, lines)), getline(1, lines))
  AllRead(shown)
  assert_equal(Texts(Rows(1, ROWS)), getline(1, '$'))
  assert_true(Most(count, shown.buf) <= MOST_LINES, $'{Most(count, shown.buf)} lines at once')
  var logged = Logged()
  assert_true(logged.bytes <= MOST_BYTES, $'{logged.bytes} bytes at once')
  assert_equal([100], sign_getplaced(shown.buf, {group: 'listd'})[0].signs->mapnew((_, sign) => sign.lnum))
  assert_equal(100, line('.'))
  bwipeout!
})

t.Test('changes during the opening are neither lost nor applied twice', () => {
  var shown = Opened('changing', Rows(1, ROWS))
  Go(50)
  var step = 0
  while step < 20 || shown.rereading
    ++step
    if step == 500
      throw 'the reading does not end'
    endif
    client.Request(other, 'editSnapshot', {list: 'changing', format: 'none', edits: [
      {edit: 'insertItems', before: 10, items: [{id: $'a{step}', text: $'new {step}'}]},
      {edit: 'deleteItems', items: [100 + step, 15000 + step]},
      {edit: 'updateItems', items: [{id: 300 + step, text: 'x'}, {id: 19000, text: $'y{step}'}]},
      {edit: 'appendItems', section: 's', items: [{id: $'b{step}', text: $'last {step}'}]},
    ]}, (_, _) => 0)
    sleep 3m
  endwhile
  t.Wait('the last change', () => getline('$') == $'last {step}')
  AllRead(shown)
  assert_equal(TextOf('changing'), getline(1, '$'))
  assert_equal('row 50', getline('.'))
  bwipeout!
})

t.Test("the cursor goes to the daemon's row once that is read, unless it was moved", () => {
  var shown = Opened('far', Rows(1, ROWS), {cursor: 15000})
  assert_equal(1, line('.'))
  doautocmd CursorMoved
  AllRead(shown)
  assert_equal('row 15000', getline('.'))
  bwipeout!
  shown = Opened('far', Rows(1, ROWS))
  Go(3)
  AllRead(shown)
  assert_equal('row 3', getline('.'))
  assert_equal([0, 2], Call('getSelection', {list: 'far'}).cursor)
  bwipeout!
})

t.Test('closing the buffer ends the reading', () => {
  var shown = Opened('closed', Rows(1, ROWS))
  bwipeout!
  LogAnew()
  Settle(shown)
  assert_equal(0, Logged().texts)
})

t.Test('a list that its owner changes while it is being sent is shown as it was', () => {
  var items = Rows(1, ROWS)
  var shown = view.Open('owned', {})
  view.Apply(shown, Snapshot(items))
  items->remove(0, 9)
  t.Wait('the rows', () => shown.count > 0)
  AllRead(shown)
  assert_equal(Texts(Rows(1, ROWS)), getline(1, '$'))
  assert_equal(ROWS - 10, len(items))
  bwipeout!
})

# Has the rows of a list shuffled and one of them deleted; returns what is left, once messages wait for the change.
def Shuffle(shown: dict<any>, items: list<any>): list<any>
  var shuffled = range(ROWS)->mapnew((_, i) => items[i * 7919 % ROWS])
  shuffled->remove(11)
  client.Request(other, 'applySnapshot', extend(Snapshot(shuffled), {list: shown.list, format: 'none'}), (_, _) => 0)
  var start = reltime()
  while !shown.client.held
    sleep 1m
    if reltimefloat(reltime(start)) > 5
      throw 'waited in vain: the slices'
    endif
  endwhile
  return shuffled
enddef

t.Test('a long change is read in slices, and keys mean what is shown meanwhile', () => {
  var items = Rows(1, ROWS)
  for item in items
    item.text ..= repeat(' and more', 20)
  endfor
  var shown = Opened('shuffled', items)
  AllRead(shown)
  Go(7000)
  Settle(shown)
  var shuffled = Shuffle(shown, items)
  assert_equal(Texts(items), getline(1, '$'))
  view.SelectLines(shown, 'toggle', 7001, 7001)
  view.SelectLines(shown, 'toggle', 9001, 9002)
  var got: list<any> = []
  view.At(shown, 15000, (item, _) => {
    got->add(item.id)
  })
  Go(9000)
  view.Act(shown, (_, place) => {
    got->add(place.item.id)
  })
  var turns = 0
  while shown.client.held
    sleep 1m
    ++turns
  endwhile
  assert_true(turns > 1, $'{turns} turns of the loop')
  AllRead(shown)
  assert_equal(Texts(shuffled), getline(1, '$'))
  assert_equal([7001, 9001, 9002], t.Selected(shown)->mapnew((_, item) => item.id)->sort('n'))
  assert_equal([15000, 9000], got)
  assert_equal(['row 7001', 'row 9001', 'row 9002'],
    t.Marked(shown)->map((_, text) => matchstr(text, '^row \d\+'))->sort())
  bwipeout!
})

t.Test('after a shuffle each window is on its row, also if the cursor moves before it is shown', () => {
  var items = Rows(1, ROWS)
  var shown = Opened('windows', items)
  AllRead(shown)
  var windows = [win_getid()]
  for lnum in [5000, 7000, 3000]
    cursor(lnum, 1)
    split
    windows->add(win_getid())
  endfor
  var Shown = () => windows->mapnew((_, win) => getbufline(shown.buf, getcurpos(win)[1])[0])
  Go(9000)
  Settle(shown)
  assert_equal(['row 5000', 'row 7000', 'row 3000', 'row 9000'], Shown())
  var shuffled = Shuffle(shown, items)
  win_execute(windows[1], 'call cursor(6000, 1)')
  Go(11000)
  Go(4000)
  AllRead(shown)
  assert_equal(Texts(shuffled), getline(1, '$'))
  assert_equal(['row 5000', 'row 6000', 'row 3000', 'row 4000'], Shown())
  Call('editSnapshot', {list: 'windows', format: 'none', edits: [{edit: 'deleteItems', items: [6000]},
    {edit: 'moveItems', items: [4000], section: 's'}]})
  Settle(shown)
  assert_equal('row 4000', Shown()[3])
  var under: list<any> = []
  view.Item(shown, (item, _) => {
    under->add(item.id)
  })
  Settle(shown)
  assert_equal([4000], under)
  only
  bwipeout!
})

t.Test('a text that was missed is read in windows while the old one is shown', () => {
  var shown = Opened('missed', Rows(1, ROWS))
  AllRead(shown)
  Go(9000)
  Settle(shown)
  sign_define('Other')
  sign_place(1, 'other', 'Other', shown.buf, {lnum: 17001})
  var count = t.Touched(shown.buf)
  var Edit = (edit) => Call('editSnapshot', {list: 'missed', edits: [edit], format: 'none'})
  shown.text_revision = 999
  Edit({edit: 'insertItems', before: 5000, items: [{id: 'new', text: 'new'}]})
  t.Wait('the reading', () => shown.rereading && shown.fresh_revision >= 0)
  assert_equal(ROWS, line('$'))
  Edit({edit: 'deleteItems', items: [3, 4]})
  AllRead(shown)
  var logged = Logged()
  assert_true(logged.bytes <= MOST_BYTES, $'{logged.bytes} bytes at once')
  assert_equal(TextOf('missed'), getline(1, '$'))
  assert_equal('row 9000', getline('.'))
  var lnum = sign_getplaced(shown.buf, {group: 'other'})[0].signs[0].lnum
  assert_equal('row 17001', getline(lnum))
  listener_flush(shown.buf)
  assert_true(count.lines < 6000, $'{count.lines} lines were touched')
  bwipeout!
})

t.Test('a large snapshot is sent, read and shown in parts', () => {
  ListdStop
  g:listd_connect = ''
  var own = view.Open('own', {})
  LogAnew()
  var count = t.Touched(own.buf)
  var items = Rows(1, ROWS)
  var shown = 0
  var later = false
  view.Apply(own, Snapshot(items), (err, _) => {
    assert_equal({}, err)
    shown = line('$')
  })
  view.EditItems(own, [{edit: 'deleteItems', items: [1]}], (_, _) => {
    later = true
  })
  t.Wait('both changes', () => later)
  items->remove(0)
  assert_equal(Texts(items), getline(1, '$'))
  assert_true(shown >= ROWS - 1, 'called before all was shown')
  assert_true(Most(count, own.buf) <= MOST_LINES, $'{Most(count, own.buf)} lines at once')
  Settle(own)
  Go(12000)
  Settle(own)
  items->insert({id: 'new', text: 'new'}, 100)
  items[699] = {id: items[699].id, text: 'changed'}
  later = false
  view.Apply(own, Snapshot(items), (_, _) => {
    later = true
  })
  t.Wait('the change', () => later)
  assert_equal(Texts(items), getline(1, '$'))
  assert_equal(12001, line('.'))
  var logged = Logged()
  assert_true(logged.bytes <= MOST_BYTES, $'{logged.bytes} bytes at once')
  assert_equal(1, len(client.Call(own.client, 'getLists', {}).lists))
  bwipeout!
})

t.Test('a part that is refused changes nothing', () => {
  var own = view.Open('refused', {})
  view.Apply(own, Snapshot(Rows(1, 3)))
  var items = Rows(1, ROWS)
  items[ROWS - 1] = {id: 7, text: 'twice'}
  var why = {}
  view.Apply(own, Snapshot(items), (err, _) => {
    why = err
  })
  t.Wait('the error', () => !empty(why))
  Settle(own)
  assert_equal(Texts(Rows(1, 3)), getline(1, '$'))
  assert_equal(1, len(client.Call(own.client, 'getLists', {}).lists))
  bwipeout!
})

t.Test('edits of the first lines of a text lead to the first lines of the new one', () => {
  var seed = srand(7)
  var Random = (low: number, high: number): number => low + rand(seed) % (high - low + 1)
  for _ in range(2000)
    var all = range(Random(0, 12))->mapnew((_, i) => $'old {i}')
    var changes: list<dict<any>> = []
    var line = 0
    while line <= len(all)
      var first = line + Random(0, 3)
      var last = first + Random(0, 3)
      var new = range(Random(0, 4))->mapnew((_, i) => $'new {first} {i}')
      if last <= len(all) && (last > first || !empty(new))
        changes->add({first: first, last: last, lines: new})
      endif
      line = last + 1
    endwhile
    var count = Random(0, len(all))
    var now = copy(all)
    var some = all->slice(0, count)
    edits.Splice(now, changes)
    edits.Splice(some, edits.Clip(changes, count, count < len(all) || Random(0, 1) == 0, Random(1, 4))[0])
    assert_equal(now->slice(0, len(some)), some)
    var [clipped, cut] = edits.Clip(changes, len(all), false, 2)
    edits.Splice(all, clipped)
    assert_true(cut || all == now, 'lines are missing')
  endfor
})

t.Test('text edits that are decoded in parts are those of the JSON text', () => {
  var seed = srand(3)
  var parts = ['a', '\', '\n', '"', '},{"range":', 'é', '日本', "\t", '\\', '"}],"moves":', '']
  var longest = 0
  for round in range(60)
    var all: list<any> = []
    for line in range(1 + rand(seed) % 4)
      var new = ''
      for _ in range(rand(seed) % (round % 10 == 0 ? 6000 : 5))
        new ..= parts[rand(seed) % len(parts)] .. parts[rand(seed) % len(parts)] .. "\n"
      endfor
      var range = {start: {line: line, character: 0}, end: {line: line + 1, character: 0}}
      all->add({range: range, newText: new})
    endfor
    # As the daemon writes it: Vim would sort the members.
    var json = all->mapnew((_, edit) =>
      $'{{"range":{json_encode(edit.range)},"newText":{json_encode(edit.newText)}}}')->join(',')
    var read: list<any> = []
    edits.ReadInSlices($'[{json}]', (found) => read->add(found))
    t.Wait('the edits', () => !empty(read))
    assert_equal(edits.Read(all), read[0])
    longest = max([longest, len(json)])
  endfor
  assert_true(longest > 50000, $'{longest} bytes')
})

t.Finish()
