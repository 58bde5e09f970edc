vim9script
# A list of a daemon that other programs use, too: g:listd_connect.

import './harness.vim' as t
import autoload 'listd/client.vim'
import autoload 'listd/files.vim'
import autoload 'listd/view.vim'

var program = empty($LISTD) ? 'listd' : $LISTD
# Vim has a lock on the folder of temporary files.
var folder = tempname()
mkdir(folder, '', 0o700)
$LISTD_SOCKET = folder .. '/socket'
g:listd_connect = $LISTD_SOCKET
set shell=/bin/bash

def Run(words: string): string
  var out = system($'{program} {words}')
  assert_equal(0, v:shell_error, out)
  return out
enddef

def Settle(shown: dict<any>)
  var quiet = 0
  while quiet < 3
    client.Call(shown.client, 'getLists', {})
    sleep 2m
    quiet = empty(shown.client.pending) ? quiet + 1 : 0
  endwhile
enddef

var jobs: dict<any>

t.Test('what another program sets is shown, and the cursor stays on its row', () => {
  Run($'connect --start {$LISTD_SOCKET} --exit-when-idle 20 </dev/null')
  Run("set jobs --key-field 1 <<<$'1 build\\n2 test\\n3 lint'")
  jobs = view.Open('jobs', {})
  execute 'buffer' jobs.buf
  t.Wait('the list', () => getline(3) == '3 lint')
  Settle(jobs)
  cursor(2, 1)
  doautocmd CursorMoved
  Settle(jobs)
  Run("set jobs --key-field 1 <<<$'4 new\\n3 lint\\n2 test, failed'")
  t.Wait('the change', () => getline(1) == '4 new')
  Settle(jobs)
  assert_equal(['4 new', '3 lint', '2 test, failed'], getline(1, '$'))
  assert_equal('2 test, failed', getline('.'))
})

t.Test('what is done in the editor is seen by others', () => {
  view.Apply(jobs, {items: [{id: 5, text: 'mine'}]})
  Settle(jobs)
  assert_equal("mine\n", Run('get jobs --text'))
})

t.Test('closing the view leaves the list to others', () => {
  bwipeout
  assert_equal("mine\n", Run('get jobs --text'))
  var running = jobs.client
  ListdStop
  t.Wait('the end', () => !empty(running.ended))
  assert_equal("mine\n", Run('get jobs --text'))
})

# The lists of a folder's files, without those of other Vims.
def ListsOf(pid: number): list<string>
  return client.Call(view.Client(), 'getLists', {}).lists->mapnew((_, list) => list.list)
    ->filter((_, list) => list =~ $'^files of {pid}\.')->sort()
enddef

t.Test("a folder's lists go with its buffer, and its view with a Vim that is killed", () => {
  var dir = t.Folder({apple: 1})
  var shown = files.Open(dir)
  t.Wait('the files', () => getline(1) == 'apple  1B')
  Settle(shown)
  assert_equal(2, len(ListsOf(getpid())))
  bwipeout
  assert_equal([], ListsOf(getpid()))
  var other = job_start(['vim', '-u', 'NONE', '-i', 'NONE', '-n', '-es', '-N', '--cmd', 'set hidden rtp^=clients/vim',
    '--cmd', 'let g:listd_connect = $LISTD_SOCKET', '-c', 'runtime plugin/listd.vim', '-c', $'ListdFiles {dir}', '-c', 'sleep 60'])
  var pid = job_info(other).process
  t.Wait('the view', () => len(ListsOf(pid)) == 2)
  var lists = ListsOf(pid)
  job_stop(other, 'kill')
  t.Wait('its end', () => ListsOf(pid) == lists[: 0])  # the daemon goes on to follow the folder
  assert_equal($'{lists[0]}: {dir}', lists[1])
})

t.Test('a daemon that has no temporary lists gets none', () => {
  ListdStop
  g:listd_connect = ''
  g:listd_cmd = ['sh', '-c', $'{program} | sed -u s/compose.temporary/another/']
  g:listd_log = tempname()
  files.Open(t.Folder({apple: 1}))
  t.Wait('the files', () => getline(1) == 'apple  1B')
  assert_match('"compose"', readfile(g:listd_log)->join())
  assert_notmatch('"temporary"', readfile(g:listd_log)->join())
  bwipeout
  unlet g:listd_cmd g:listd_log
})

t.Test('without a daemon it is said which socket was tried', () => {
  g:listd_connect = tempname()
  var ends: list<string> = []
  client.Start((_, _) => 0, (why) => {
    ends->add(why)
  })
  t.Wait('the end', () => !empty(ends))
  assert_match('no listd listens at ' .. g:listd_connect, ends[0])
})

t.Finish()
