vim9script
# Lists with headers, rows of several lines and marks in the text, changed from several sides.

import './harness.vim' as t
import autoload 'listd/client.vim'
import autoload 'listd/edits.vim'
import autoload 'listd/view.vim'

t.Test('edits: 300 random ones, bottom up, as the plainest way does them', () => {
  var words = ['a', 'b', 'é', 'è', '日本', '日', '']
  var seed = srand(7)
  var Random = (from: number, to: number): number => from + rand(seed) % (to - from + 1)
  new
  var text: list<string> = []
  for _ in range(300)
    var changes: list<dict<any>> = []
    var at = 0
    while at <= len(text)
      var first = at + Random(0, 3)
      if first > len(text)
        break
      endif
      var last = min([len(text), first + Random(0, 3)])
      var lines = range(Random(first == last ? 1 : 0, len(text) > 40 ? 1 : 3))
        ->mapnew((_, _) => words[Random(0, 6)] .. words[Random(0, 6)])
      changes->add({first: first, last: last, lines: lines})
      at = last + 1
    endwhile
    var wanted: list<string> = []
    at = 0
    for change in changes
      wanted += text->slice(at, change.first) + change.lines
      at = change.last
    endfor
    wanted += text->slice(at)
    assert_equal(len(wanted), edits.Apply(bufnr(), len(text), changes, (_, _) => 0))
    assert_equal(empty(wanted) ? [''] : wanted, getline(1, '$'))
    text = wanted
  endfor
  bwipeout!
})

def Settle(shown: dict<any>)
  var quiet = 0
  while quiet < 3
    client.Call(view.Client(), 'getLists', {})
    sleep 2m
    quiet = empty(shown.client.pending) ? quiet + 1 : 0
  endwhile
enddef

def Go(lnum: number)
  cursor(lnum, 1)
  doautocmd CursorMoved
enddef

var mail = view.Open('mail', {templates: {Mail: "{selected:[x]|[ ]} {from}\n    {subject}"}})

def Mail(id: number, from: string, subject: string): dict<any>
  return {id: id, template: 'Mail', from: from, subject: subject}
enddef
const ANN = Mail(1, 'Ann', 'Über')
const BOB = Mail(2, 'Bob', '日本')
const EVE = Mail(3, 'Eve', 'Keys')

def Show(items: list<any>)
  var section = {id: 'new', header: 'New', selectionMode: 'multiple', items: items}
  view.Apply(mail, {sections: [section]}, (_, _) => 0)
  Settle(mail)
enddef

t.Test('headers and rows of several lines', () => {
  Show([ANN, BOB])
  assert_equal(['New', '[ ] Ann', '    Über', '[ ] Bob', '    日本'], getline(1, '$'))
})

t.Test('a selected row is marked in all its lines', () => {
  Go(4)
  Settle(mail)
  var touched = t.Touched(mail.buf)
  view.Select(mail, 'toggle')
  Settle(mail)
  listener_flush(mail.buf)
  assert_equal('[x] Bob', getline(4))
  assert_equal([[4, 5, 0]], touched.ranges)
  var signs = sign_getplaced(mail.buf, {group: 'listd'})[0].signs
  assert_equal([4, 5], signs->mapnew((_, placed) => placed.lnum))
})

t.Test('a header is no row', () => {
  Go(1)
  view.Select(mail, 'toggle')
  Settle(mail)
  assert_equal('[{"at":[0,1],"count":1}]', mail.selection)
})

t.Test('the cursor stays on its line of its row', () => {
  Go(5)
  Settle(mail)
  Show([EVE, Mail(4, 'Zoe', 'Z'), BOB, ANN])
  assert_equal('[x] Bob', getline(6))
  assert_equal(7, line('.'))
})

t.Test('who else changes the list or its cursor is seen here', () => {
  client.Call(mail.client, 'select', {list: 'mail', cursor: 3})
  Settle(mail)
  assert_equal('[ ] Eve', getline('.'))
  var change = [{edit: 'deleteItems', items: [4]}]
  client.Call(mail.client, 'editSnapshot', {list: 'mail', edits: change})
  Settle(mail)
  assert_equal(7, line('$'))
  assert_equal('[ ] Eve', getline('.'))
  client.Call(mail.client, 'registerTemplates', {templates: {Mail: '{from}: {subject}'}})
  Settle(mail)
  assert_equal(['New', 'Eve: Keys', 'Bob: 日本', 'Ann: Über'], getline(1, '$'))
  assert_equal('Eve: Keys', getline('.'))
})

t.Test('a text that was missed is read again', () => {
  mail.text_revision -= 1
  Show([BOB, EVE, ANN])
  assert_equal(['New', 'Bob: 日本', 'Eve: Keys', 'Ann: Über'], getline(1, '$'))
  assert_equal('Eve: Keys', getline('.'))
})

t.Test('an error is reported with its code and data', () => {
  var errors: list<any> = []
  view.Apply(mail, {items: [{id: 1}, {id: 1}]}, (err, _) => errors->add(err))
  Settle(mail)
  assert_equal(-31004, errors[0].code)
  assert_equal(1, len(errors[0].data.duplicates))
})

t.Test('an answer that Vim cannot read is an error, and the next one an answer', () => {
  var answers: list<any> = []
  var Keep = (err, _) => {
    answers->add(err)
  }
  # Vim cannot say such a thing itself, but a journal or another program may have.
  var request = '{"jsonrpc":"2.0","method":"applySnapshot","params":'
    .. '{"list":"odd","items":[{"id":1,"a":1,"a":2}]}}'
  ch_sendraw(mail.client.job, request .. "\n")
  client.Request(mail.client, 'getSnapshot', {list: 'odd'}, Keep)
  client.Request(mail.client, 'removeList', {list: 'odd'}, Keep)
  Settle(mail)
  assert_match('no JSON', answers[0].message)
  assert_equal({}, answers[1])
})

t.Test('a list that is removed leaves nothing', () => {
  client.Call(mail.client, 'removeList', {list: 'mail'})
  Settle(mail)
  assert_equal([''], getline(1, '$'))
  Show([ANN])
  assert_equal(['New', 'Ann: Über'], getline(1, '$'))
})

t.Test('an outline is expanded and collapsed', () => {
  var before = bufnr()
  var awaited: list<any> = []
  var Keep = (_, some) => awaited->extend(some)
  var tree = view.Open('tree',
    {templates: {Node: '{indent:  }{expanded:-|+| }{id}'}, Expanded: Keep})
  execute 'buffer' tree.buf
  var items = [{id: 'a', template: 'Node'}, {id: 'b', up: 'a', template: 'Node'},
    {id: 'c', up: 'b', template: 'Node'}, {id: 'd', lazy: true, template: 'Node'}]
  client.Call(tree.client, 'applySnapshot', {list: 'nodes', items: items})
  view.Compose(tree, {sources: ['nodes'], view: {tree: {parent: 'up'}}})
  var Expect = (lnum: number, what: string, deep: bool, wanted: list<string>) => {
    if lnum > 0
      cursor(lnum, 1)
    endif
    if what != ''
      view.Expand(tree, what, deep)
    endif
    t.Wait(join(wanted), () => getline(1, '$') == wanted)
  }
  Expect(0, '', false, ['+a', '+d'])
  Expect(1, 'toggle', false, ['-a', '  +b', '+d'])
  Expect(2, 'toggle', false, ['-a', '  -b', '     c', '+d'])
  Expect(1, 'collapse', true, ['+a', '+d'])
  Expect(2, 'expand', false, ['+a', '-d'])
  Expect(0, 'all', false, ['-a', '  -b', '     c', '-d'])
  assert_equal(['d'], awaited)
  Expect(0, 'none', false, ['+a', '-d'])
  client.Call(tree.client, 'removeList', {list: 'nodes'})
  Settle(tree)
  execute 'buffer' before
  execute 'bwipeout' tree.buf
})

t.Test('the log and the end', () => {
  ListdLog
  assert_match('^→ .*"initialize"', getline(1))
  bwipeout
  var running = mail.client
  ListdStop
  t.Wait('the end', () => !empty(running.ended))
  assert_equal('listd has ended (exit code 0)', running.ended)
})

t.Finish()
