vim9script
# How a list behaves beside the person's other windows, keys and plugins; also in a terminal.

import './harness.vim' as t
import autoload 'listd/client.vim'
import autoload 'listd/files.vim'
import autoload 'listd/maps.vim'
import autoload 'listd/view.vim'

const HERE = expand('<sfile>:p:h:h:h:h')

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

t.Test("options stay with the list's window", () => {
  enew
  view.Open('options', {})
  assert_equal('listd://options', bufname())
  var shown = bufnr()
  for _ in range(2)
    assert_equal(['yes', 'auto', false, true], [&signcolumn, &g:signcolumn, &wrap, &g:wrap])
    execute 'edit' tempname()
    assert_equal(['auto', true], [&signcolumn, &wrap])
    new
    assert_equal(['auto', true], [&signcolumn, &wrap])
    execute 'buffer' shown
  endfor
  new
  assert_equal('auto', &signcolumn)
  only!
})

t.Test('closing a list shows what was there before, in every window', () => {
  execute 'edit' tempname()
  var before = bufnr()
  vsplit
  var shown = files.Open(t.Folder({a: 1}))
  Settle(shown)
  feedkeys('q', 'xt')
  assert_equal(2, winnr('$'))
  assert_equal(before, bufnr())
  assert_false(bufexists(shown.buf))
  only
})

t.Test('messages: one line, and each once', () => {
  messages clear
  g:listd_cmd = '/nowhere/listd'
  view.Stop()
  var dir = t.Folder({a: 1})
  var shown = files.Open(dir)
  for i in range(3)
    t.Write($'{dir}/file{i}', i)
    view.Refresh(shown)
    sleep 60m
  endfor
  feedkeys(' ', 'xt')
  var got = execute('messages')->split("\n")->filter((_, line) => line =~ '^listd:')
  unlet g:listd_cmd
  assert_equal(1, len(got), string(got))
  assert_true(strdisplaywidth(got[0]) <= 80, got[0])
  view.Refresh(shown)
  t.Wait('the daemon', () => shown.count == 4)
  execute 'bwipeout!' shown.buf
})

t.Test('a key in a list whose daemon has died starts another', () => {
  var shown = view.Open('dies', {})
  view.Apply(shown, {items: ['a', 'b']})
  Settle(shown)
  var died = shown.client
  job_stop(died.job, 'kill')
  t.Wait('the end', () => !empty(died.ended))
  Go(2)
  feedkeys(' ', 'xt')
  Settle(shown)
  feedkeys(' ', 'xt')
  var answers: list<any> = []
  view.Selected(shown, (items) => extend(answers, items))
  Settle(shown)
  assert_equal(['b'], answers)
  assert_equal(['a', 'b'], getline(1, '$'))
})

t.Test("the daemon's build is found through a link to the plugin", () => {
  var dir = tempname()
  for folder in ['checkout/clients', 'checkout/.build/release', 'pack/start']
    mkdir($'{dir}/{folder}', 'p')
  endfor
  var build = $'{dir}/checkout/.build/release/listd'
  writefile(['#!/bin/sh'], build)
  setfperm(build, 'rwxr-xr-x')
  system($'cp -r {HERE}/clients/vim {dir}/checkout/clients/ && ln -s {dir}/checkout/clients/vim {dir}/pack/start/listd')
  writefile(['vim9script', "import autoload 'listd/client.vim'",
    $"writefile([client.Find()[1]], '{dir}/found')", 'qall!'], $'{dir}/find.vim')
  system($'env -u LISTD PATH=/usr/bin:/bin vim -u NONE -i NONE -n -es -N '
    .. $"--cmd 'set rtp^={dir}/pack/start/listd' -S {dir}/find.vim </dev/null")
  assert_equal(['the build folder, ' .. build], readfile($'{dir}/found'))
})

t.Test('items, headers and parts under the cursor', () => {
  var shown = view.Open('things', {templates: {Header: '# {text}'}})
  var b = {id: 'b', text: 'B'}
  view.Apply(shown, {sections: [
    {id: 'one', header: 'One', selectionMode: 'multiple', items: ['a', b]},
    {id: 2, header: 'Two', items: [{id: 'c', n: 3, parts: [{id: 'x', text: 'X'}]}]},
  ]})
  Settle(shown)
  assert_equal(['# One', 'a', 'B', '# Two', 'X'], getline(1, '$'))
  var answers: list<list<any>> = []
  for lnum in [3, 4, 5]
    view.At(shown, lnum, (item, place) => answers->add([item, place]))
    Settle(shown)
  endfor
  assert_equal([b, 'b', 'one', [0, 1]],
    [answers[0][0], answers[0][1].id, answers[0][1].section, answers[0][1].at])
  assert_equal([null, 2, true], [answers[1][0], answers[1][1].section, answers[1][1].header])
  assert_equal([{id: 'c', n: 3}, {id: 'x', text: 'X'}, 2],
    [answers[2][0], answers[2][1].part, answers[2][1].section])
  var done: list<any> = []
  var Act = (items, place) => {
    done->add([items, place.section])
  }
  Go(2)
  Settle(shown)
  view.Act(shown, Act)
  view.Select(shown, 'toggle')
  Go(3)
  view.Select(shown, 'toggle')
  view.Act(shown, Act)
  view.Select(shown, 'none')
  Go(4)
  view.Act(shown, Act)
  Settle(shown)
  assert_equal([[['a'], 'one'], [['a', b], 'one'], [[], 2]], done)
})

def Fail(_: dict<any>)
  throw 'it fails'
enddef

def AuthorsView(done: list<any>): dict<any>
  return view.Open('author', {
    maps: {toggle: 'm', all: false, open: ['o', '<CR>']},
    actions: {stage: [(shown) => view.Act(shown, (items, _) => done->add(items)), 's'], fail: [Fail, 'X']},
    highlights: [['^M/.*', 'WarningMsg']],
    Open: (item, how) => done->add($'{how} {item}'),
  })
enddef

t.Test("an author's actions, keys and highlights", () => {
  var done: list<any> = []
  var shown = AuthorsView(done)
  view.Apply(shown, {items: ['M/x', 'y']})
  Settle(shown)
  maps.Highlight(shown)
  Go(2)
  feedkeys('o', 'xt')
  Settle(shown)
  feedkeys('s', 'xt')
  Settle(shown)
  assert_equal(['edit y', ['y']], done)
  messages clear
  feedkeys('X', 'xt')
  assert_match('listd: it fails (:ListdLog has more)$', execute('messages'))
  assert_equal('', maparg('a', 'n'))
  assert_equal('', maparg('<Space>', 'n'))
  assert_equal(['WarningMsg', ''], [1, 2]->mapnew((_, lnum) => synIDattr(synID(lnum, 1, 1), 'name')))
  maps.Run(shown, 'refresh')
  # What assert_fails() expects is an error for the exit status of a silent Vim, too.
  try
    maps.Run({options: {}}, 'nothing')
    assert_report('an action that there is not')
  catch /no action nothing/
  endtry
})

t.Test('whether there is a daemon, and how to get one', () => {
  ListdInstall
  assert_match('It answers: listd \d.*All is well', getline(1, '$')->join())
  assert_notmatch('dpkg', getline(1, '$')->join())
  bwipeout
  for [cmd, problem] in [['/nowhere/listd', 'there is no listd to run'], ['true', 'does not answer']]
    g:listd_cmd = cmd
    ListdInstall
    assert_match($'{problem}.*dpkg', getline(1, '$')->join())
    bwipeout
  endfor
  # Programs that answer, but are old, newer, or others.
  var name = '"serverInfo":{"name":"listd","version":"0.0.9"}'
  for [result, problem] in [
      ['{' .. name .. ',"protocolVersion":1,"capabilities":{"features":["compose.view.match","references.line"]}}',
        'it is too old: it lacks compose.view.tree, locate.match'],
      ['{' .. name .. ',"protocolVersion":1}', 'it is too old'],
      ['{' .. name .. ',"protocolVersion":2}', 'it speaks protocol 2, this client 1'],
      ['{"capabilities":{}}', 'is another program, not listd']]
    var body = '{"jsonrpc":"2.0","id":1,"result":' .. result .. '}'
    g:listd_cmd = ['sh', '-c', 'read -r line; printf "%s\n" "$0"; exec cat >/dev/null', body]
    ListdInstall
    assert_match($'Problem: .*{problem}.*dpkg', getline(1, '$')->join())
    bwipeout
  endfor
  unlet g:listd_cmd
})

t.Test('in a terminal: keys at once, the leader, no prompts when the daemon dies', () => {
  var dir = t.Folder({apple: 1, banana: 2, cherry: 3})
  var daemon = client.Find()[0][0]
  t.Terminal($'cd {dir} && vim -u NONE -i NONE -n -N '
    .. $"--cmd 'let mapleader=\" \"' --cmd 'set encoding=utf-8 hidden rtp^={HERE}/clients/vim' "
    .. "--cmd 'nnoremap <leader>ff :let g:fired = 1<CR>:echo \"fired\"<CR>' "
    .. "-c 'runtime plugin/listd.vim' -c ListdFiles", $'LISTD={daemon}')
  try
    t.Screen('the files', (screen) => screen =~ 'cherry  3B')
    for key in ['j', ' ', 'f', 'f']  # not at once, or Vim takes the longest map
      t.Keys([key])
      sleep 100m
    endfor
    t.Screen("the leader's map", (screen) => screen =~ 'fired' && screen !~ '\*')
    t.Keys(['V', 'j', ':', 'ListdSelect toggle', 'Enter'])
    t.Screen('two marks', (screen) => screen =~ '\* banana' && screen =~ '\* cherry')
    rename(dir .. '/banana', dir .. '/zucchini')
    t.Screen('the marks of rows that have moved', (screen) => screen =~ '\* cherry' && screen =~ '\* zucchini')
    t.Keys([':call job_stop(listd#view#Client().job, "kill")', 'Enter'])
    t.Screen('the notice', (screen) => screen =~ 'ended')
    t.Write(dir .. '/damson', 4)
    var screen = t.Screen('another daemon', (screen) => screen =~ 'damson')
    assert_notmatch('Press ENTER', screen)
  finally
    t.CloseTerminal()
  endtry
})

t.Test('in a terminal: no hit-enter prompt at a command, whatever was used first', () => {
  for path in glob($'{HERE}/clients/vim/autoload/**/*.vim', true, true)
    assert_equal('defcompile', readfile(path)[-1], path)
  endfor
  var daemon = client.Find()[0][0]
  for keys in [[], ['j'], ['V', 'j', ':', 'ListdSelect toggle', 'Enter'], ['R'], ['/banana', 'Enter', 'Space']]
    var dir = t.Folder({apple: 1, banana: 2, cherry: 3})
    t.Terminal($'cd {dir} && vim -u NONE -i NONE -n -N '
      .. $"--cmd 'set encoding=utf-8 hidden rtp^={HERE}/clients/vim' -c 'runtime plugin/listd.vim'", $'LISTD={daemon}')
    try
      t.Screen('Vim', (screen) => screen =~ '\n\~')
      t.Keys([':ListdFiles', 'Enter'])
      t.Screen('the files', (screen) => screen =~ 'cherry  3B')
      for key in keys
        t.Keys([key])
      endfor
      for n in range(2)
        sleep 100m  # for the answers
        t.Keys([$':let g:n = {n}', 'Enter'])
        t.Screen('the command', (screen) => screen =~ $':let g:n = {n}')
        sleep 50m
        assert_notmatch('Press ENTER', t.Screen('the command', (_) => true), $'{keys} {n}')
      endfor
    finally
      t.CloseTerminal()
    endtry
  endfor
})

t.Test('in a terminal: a missing daemon is reported without a hit-enter prompt', () => {
  var dir = t.Folder({apple: 1})
  t.Terminal($'cd {dir} && vim -u NONE -i NONE -n -N '
    .. $"--cmd 'set encoding=utf-8 hidden rtp^={HERE}/clients/vim' "
    .. "-c 'runtime plugin/listd.vim'", 'LISTD=/nowhere' .. repeat('/deeper', 10) .. '/listd')
  try
    t.Screen('Vim', (screen) => screen =~ '\n\~')
    t.Keys([':ListdFiles', 'Enter'])
    t.Screen('the notice', (screen) => screen =~ 'there is no listd to run')
    t.Write(dir .. '/banana', 2)
    sleep 300m
    assert_notmatch('Press ENTER', t.Screen('the screen', (screen) => screen =~ 'there is no listd to run'))
  finally
    t.CloseTerminal()
  endtry
})

t.Test('messages are handled in their order, however long they are and however their bytes arrive', () => {
  var wanted: list<string> = []
  var bytes = ''
  for length in [3, 200'000, 5, 0, 49'990, 70'000, 1, 50'000, 2, 120'000]
    wanted->add(repeat('x', length))
    bytes ..= json_encode({jsonrpc: '2.0', method: 'm', params: {text: wanted[-1]}}) .. "\n"
  endfor
  var file = tempname()
  writefile([bytes], file, 'b')
  for size in [len(bytes), 64'000, 30'001]
    var got: list<string> = []
    g:listd_cmd = ['sh', '-c', $'read -r line; i=0; while [ $((i * {size})) -lt {len(bytes)} ]; do '
      .. $'dd if={file} bs={size} skip=$i count=1 status=none; i=$((i + 1)); sleep 0.02; done; exec cat >/dev/null']
    var started = client.Start((_, params) => got->add(params.text), (_) => 0)
    t.Wait($'messages in parts of {size} bytes', () => len(got) >= len(wanted))
    assert_true(got == wanted, $'{size}: {got->mapnew((_, text) => len(text))}')
    job_stop(started.job, 'kill')
  endfor
  unlet g:listd_cmd
})

t.Test('requests are answered while Vim ends, and runs no timers', () => {
  var [script, result] = [tempname(), tempname()]
  writefile([
    'vim9script',
    "import autoload 'listd/client.vim'",
    'var started = client.Start((_, _) => 0, (_) => 0)',
    'def Ask()',
    "  var answers = range(20)->mapnew((_, _) => client.Call(started, 'getLists', {}, 2000))",
    $"  writefile([string(len(answers))], '{result}')",
    'enddef',
    'autocmd VimLeavePre * Ask()',
    'qall!',
  ], script)
  var clients = fnamemodify('clients/vim', ':p')
  system($"vim -u NONE -i NONE -n -es -N --cmd 'set rtp^={clients}' -S {script} </dev/null")
  assert_equal(['20'], filereadable(result) ? readfile(result) : [])
})

t.Finish()
