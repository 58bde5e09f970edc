vim9script
# The examples, used as a person would.

import './harness.vim' as t
import autoload 'listd/client.vim'
import autoload 'listd/view.vim'

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

def Press(shown: dict<any>, pattern: string, keys: string)
  search(pattern, 'cw')
  doautocmd CursorMoved
  Settle(shown)
  feedkeys(keys, 'xt')
enddef

for name in ['git', 'picker', 'processes', 'tree']
  t.Test($'{name} has less than 100 lines', () => {
    var path = globpath(&runtimepath, $'autoload/listd/examples/{name}.vim')
    assert_true(len(readfile(path)) < 100, path)
  })
endfor

t.Test('git: hunks one by one', () => {
  var dir = t.Folder({})
  var Git = (arguments: string): string =>
    system($'git -C {dir} -c user.name=A -c user.email=a@b {arguments}')
  var lines = range(1, 30)->mapnew((_, i) => $'line {i}')
  writefile(lines, dir .. '/poem')
  Git('init -q')
  Git('add .')
  Git('commit -qm "A poem"')
  lines[2] = 'line three'
  lines[26] = 'line twenty-seven'
  writefile(lines, dir .. '/poem')
  writefile(['x'], dir .. '/new file')
  var shown = listd#examples#git#Open(dir)
  Shows(shown, ['staged (0)', 'unstaged (1)', '  M poem', 'untracked (1)', '  + new file'])
  Press(shown, 'poem', "\<Tab>")
  t.Wait('the hunks', () => shown.count > 10)
  messages clear
  Press(shown, '^+line three', 'u')  # it is not staged
  Settle(shown)
  Press(shown, '^+line twenty-seven', 's')
  Shows(shown, ['staged (1)', '  M poem', 'unstaged (1)', '  M poem', '@@ -1,6 +1,6 @@', ' line 1',
    ' line 2', '-line 3', '+line three', ' line 4', ' line 5', ' line 6', 'untracked (1)', '  + new file'])
  assert_notmatch('git', execute('messages'))
  assert_match('twenty', Git('diff --cached'))
  assert_notmatch('three', Git('diff --cached'))
  Press(shown, 'new file', 's')
  t.Wait('the new file', () => getbufline(shown.buf, 2) == ['  A new file'])
  Press(shown, 'poem', 'u')
  t.Wait('the poem', () => Git('diff --cached --name-only') == "new file\n")
  Press(shown, '^unstaged', "\<Tab>")
  Shows(shown, ['staged (1)', '  A new file', 'unstaged (1)', 'untracked (0)'])
  feedkeys('q', 'xt')
})

t.Test('git: staging a hunk leads to the next row, collapsing one to its file', () => {
  var dir = t.Files(['poem'] + range(1, 9)->mapnew((_, i) => $'zz{i}'))
  var Git = (arguments: string): string => system($'git -C {dir} {arguments}')
  var lines = range(1, 60)->mapnew((_, i) => $'line {i}')
  writefile(lines, dir .. '/poem')
  Git('init -q && git -C ' .. dir .. ' add poem && git -C ' .. dir .. ' -c user.name=A -c user.email=a@b commit -qm Poem')
  Git('add -N .')
  [lines[2], lines[34]] = ['three', 'thirty-five']
  writefile(lines, dir .. '/poem')
  var shown = listd#examples#git#Open(dir)
  t.Wait('the files', () => shown.count == 13)
  Press(shown, 'poem', "\<Tab>")
  t.Wait('the hunks', () => shown.count > 25)
  Settle(shown)
  Press(shown, '^+thirty-five', "\<Tab>")
  t.Wait('they are collapsed', () => shown.count == 13)
  Settle(shown)
  assert_equal('  M poem', getline('.'))
  feedkeys("\<Tab>", 'xt')
  t.Wait('the hunks', () => shown.count > 25)
  Settle(shown)
  Press(shown, '^+thirty-five', 's')
  t.Wait('the hunk is staged', () => getbufline(shown.buf, 1) == ['staged (1)'])
  Settle(shown)
  assert_equal('  A zz1', getline('.'))
  feedkeys('s', 'xt')
  t.Wait('the file is staged', () => getbufline(shown.buf, 1) == ['staged (2)'])
  Settle(shown)
  assert_equal("poem\nzz1\n", Git('diff --cached --name-only --diff-filter=AM'))
  execute 'bwipeout!' shown.buf
})

t.Test('git: in a sub-folder, whatever the names and settings', () => {
  var names = ['grün', 'with space', "t\tq\"uo\\te", "new\nline", "bad\xff", '*[a]', 'plain']
  var dir = t.Files(names + ['sub/inner'])
  var Git = (arguments: string): string => system($'git -C {dir} {arguments}')
  Git('init -q && git -C ' .. dir .. ' add .')
  Git('-c user.name=A -c user.email=a@b commit -qm Names')
  for setting in ['diff.mnemonicPrefix true', 'diff.noprefix true', 'color.ui always', 'color.diff always',
      'core.quotePath false', 'diff.context 0', 'apply.whitespace error', 'status.relativePaths true']
    Git('config ' .. setting)
  endfor
  for name in names + ['sub/inner']
    writefile(["caf\xe9 "], $'{dir}/{name}', 'a')
  endfor
  writefile([], dir .. "/un\ntr\"")
  var shown = listd#examples#git#Open(dir .. '/sub')
  t.Shows(shown, ['staged (0)', 'unstaged (8)', '  M *[a]', '  M bad<ff>', '  M grün', '  M new^@line', '  M plain',
    '  M sub/inner', '  M t^Iq"uo\te', '  M with space', 'untracked (1)', '  + un^@tr"'])
  for name in ['\*\[a', 'bad', 'gr', 'new', 'plain', 'sub', 't^I', 'with']
    var count = shown.count
    Press(shown, '^  M ' .. name, "\<Tab>")
    t.Wait('the hunk of ' .. name, () => shown.count > count)
    Settle(shown)
  endfor
  while search('^@@', 'cw') > 0
    var count = len(getline(1, '$')->filter((_, line) => line =~ '^@@'))
    Press(shown, '^@@', 's')
    t.Wait('the hunk is staged', () => len(getline(1, '$')->filter((_, line) => line =~ '^@@')) < count)
    Settle(shown)
  endwhile
  assert_equal('', Git('diff --no-color'))
  assert_equal(8, Git('diff --cached --numstat')->split("\n")->len())
  Press(shown, '^  + un', 's')
  t.Wait('the new file', () => getbufline(shown.buf, 1) == ['staged (9)'])
  Settle(shown)
  Press(shown, '^  M new', 'u')
  t.Wait('the old file', () => getbufline(shown.buf, 1) == ['staged (8)'])
  Settle(shown)
  Press(shown, 'sub.inner', "\<CR>")
  t.Wait('the file', () => bufname() == dir .. '/sub/inner')
  execute 'bwipeout!' shown.buf

  messages clear
  const outside = t.Files(['a'])
  # The folder for temporary files may be in a repository.
  setenv('GIT_CEILING_DIRECTORIES', fnamemodify(outside, ':h'))
  assert_equal({}, listd#examples#git#Open(outside))
  setenv('GIT_CEILING_DIRECTORIES', null)
  assert_match('listd: git: fatal: not a git repository', execute('messages'))
})

t.Test('processes: the cursor and the selection stay on theirs', () => {
  var job = job_start(['sleep', '600'])
  var pid = job_info(job).process
  var shown = listd#examples#processes#Open()
  t.Wait('the processes', () => search($'^ *{pid} .*sleep$', 'cw') > 0)
  Press(shown, $'^ *{pid} ', ' ')
  Settle(shown)
  sleep 1300m
  assert_match($'^ *{pid} ', getline('.'))
  var found: list<any> = []
  view.Selected(shown, (items) => extend(found, items))
  Settle(shown)
  assert_equal([pid], found->mapnew((_, item) => item.id))
  feedkeys('K', 'xt')
  t.Wait('the end', () => job_status(job) == 'dead')
  feedkeys('q', 'xt')
})

# Waits for two texts on the terminal's screen.
def Terminal(first: string, other = '')
  t.Screen(first .. other, (screen) => stridx(screen, first) >= 0 && stridx(screen, other) >= 0)
enddef

t.Test('picker: 100,000 lines, and marks that survive the query', () => {
  var dir = tempname()
  mkdir(dir)
  writefile(['vim9script', 'def Written(chosen: list<any>)',
    $"  writefile([json_encode(chosen)], '{dir}/new')", $"  rename('{dir}/new', '{dir}/chosen')", 'enddef',
    "var lines = range(1, 100000)->mapnew((_, n) => $'line {n} of é日')",
    "listd#examples#picker#Open(lines, 'Lines, 100%', Written)"], dir .. '/script.vim')
  var clients = fnamemodify('clients/vim', ':p')
  t.Terminal($"vim -u NONE -i NONE -n -N --cmd 'set encoding=utf-8 hidden rtp^={clients}' "
    .. $"-c 'runtime plugin/listd.vim' -S {dir}/script.vim", 'LISTD=' .. $LISTD)
  try
    Terminal("\n100000 of 100000", 'Lines, 100%')
    t.Keys(['-l', "'7777 !77777 日$"])
    Terminal("\n18 of 100000", 'line 7777 of é日')
    t.Keys(['Down', 'Tab', 'C-u'])
    Terminal("\n100000 of 100000")
    t.Keys(['-l', '^line\ 5\ '])
    Terminal("\n1 of 100000", 'line 5 of é日')
    t.Keys(['Tab', 'C-u', 'x'])
    Terminal("\n0 of 100000")
    t.Keys(['Enter'])
    t.Wait('the choice', () => filereadable(dir .. '/chosen'))
  finally
    t.CloseTerminal()
  endtry
  var chosen = json_decode(readfile(dir .. '/chosen')[0])
  assert_equal([2, 'line 5 of é日', v:true], [len(chosen), chosen[0], chosen[1] =~ '7777'])
})

t.Test('processes, in a terminal: the list follows', () => {
  var dir = tempname()
  mkdir(dir)
  var clients = fnamemodify('clients/vim', ':p')
  t.Terminal($"vim -u NONE -i NONE -n -N --cmd 'set encoding=utf-8 hidden rtp^={clients}' "
    .. "-c 'runtime plugin/listd.vim' -c 'call listd#examples#processes#Open()'", 'LISTD=' .. $LISTD)
  var job = job_start(['true'])
  try
    Terminal('pid  user')
    system($'cp "$(command -v yes)" {dir}/listd-busy')
    job = job_start([dir .. '/listd-busy'], {out_io: 'null'})
    Terminal('listd-busy')
  finally
    job_stop(job, 'kill')
    t.CloseTerminal()
  endtry
})

t.Finish()
