vim9script
# Runs tests in this Vim: each is a function; failures are reported with their location.

import autoload 'listd/client.vim'
import autoload 'listd/lines.vim'
import autoload 'listd/view.vim'

g:listd_confirm_renames = false

var failed = 0
var ran = 0

def Say(line: string)
  writefile([line], '/dev/stdout', 'a')
enddef

export def Test(name: string, Body: func)
  ++ran
  v:errors = []
  try
    Body()
  catch
    v:errors->add($'{v:exception} at {v:throwpoint}')
  endtry
  Say((empty(v:errors) ? 'ok       ' : 'FAILED   ') .. name)
  for error in v:errors
    Say('  ' .. error)
  endfor
  failed += empty(v:errors) ? 0 : 1
enddef

# Handles events until the condition holds.
export def Wait(what: string, Condition: func)
  var start = reltime()
  while !Condition()
    if reltimefloat(reltime(start)) > 5
      throw 'waited in vain: ' .. what
    endif
    sleep 5m
  endwhile
enddef

export def Write(path: string, bytes: number)
  writefile([repeat('x', bytes)], path, 'b')
enddef

# A folder with files, of so many bytes each.
export def Folder(files: dict<number>): string
  var dir = tempname()
  mkdir(dir, 'p')
  for [name, bytes] in items(files)
    Write($'{dir}/{name}', bytes)
  endfor
  return dir
enddef

# Counts the lines that change in a buffer from now on: those that go or come, the larger number.
export def Touched(buf: number): dict<any>
  listener_flush(buf)
  var count: dict<any> = {lines: 0, ranges: []}
  listener_add((_, _, _, _, changes) => {
    for change in changes
      count.lines += max([change.end - change.lnum, change.end - change.lnum + change.added])
      count.ranges->add([change.lnum, change.end, change.added])
    endfor
  }, buf)
  return count
enddef

# The names in a folder.
export def Names(dir: string): list<string>
  return readdir(dir)->sort()
enddef

export def Content(path: string): string
  return readfile(path, 'b')->join("\n")
enddef

# A folder of files that hold their names.
export def Files(files: list<string>): string
  var dir = tempname()
  mkdir(dir, 'p')
  for name in files
    mkdir(fnamemodify($'{dir}/{name}', ':h'), 'p')
    writefile(split(name, "\n", true), $'{dir}/{name}', 'b')
  endfor
  return dir
enddef

# Until the buffer of a list has the lines.
export def Shows(shown: dict<any>, wanted: list<string>)
  try
    Wait('', () => getbufline(shown.buf, 1, '$') == wanted)
  catch
  endtry
  assert_equal(wanted, getbufline(shown.buf, 1, '$'))
  Settle(shown)
enddef

# Begins to edit the lines; returns the buffer.
export def EditLines(shown: dict<any>): number
  execute 'buffer' shown.buf
  feedkeys('E', 'xt')
  Wait('the lines', () => bufnr() == get(shown, 'editing', -1))
  return bufnr()
enddef

# Replaces the text of a line, as a person does.
export def Retype(old: string, new: string)
  assert_true(search($'\V{escape(old, '\')}\$', 'cw') > 0, old)
  feedkeys($"S{new}\<Esc>", 'xt')
enddef

# Writes the buffer. With problems it stays, and they are returned by lines.
export def WriteLines(buf: number): dict<string>
  write
  for _ in range(20)
    sleep 2m
    if !bufexists(buf)
      return {}
    endif
  endfor
  return lines.Problems(buf)
enddef

var opened = 0

# Until nothing is under way: each answer may have led to another question.
export def Settle(shown: dict<any>)
  var quiet = 0
  while quiet < 3
    client.Call(shown.client, 'getLists', {})
    sleep 2m
    quiet = empty(shown.client.pending) ? quiet + 1 : 0
  endwhile
enddef

export def Go(lnum: number)
  cursor(lnum, 1)
  doautocmd CursorMoved
enddef

export def Snapshot(rows: list<any>): dict<any>
  return {sections: [{id: 's', selectionMode: 'multiple', items: rows}]}
enddef

export def Show(options: dict<any>, rows: list<any>): dict<any>
  ++opened
  var shown = view.Open($'list{opened}', options)
  view.Apply(shown, Snapshot(rows))
  Settle(shown)
  return shown
enddef

export def Change(shown: dict<any>, rows: list<any>)
  view.Apply(shown, Snapshot(rows))
  Settle(shown)
enddef

export def Selected(shown: dict<any>): list<any>
  var answer: list<any> = []
  view.Selected(shown, (found) => extend(answer, found))
  Settle(shown)
  return answer
enddef

export def Marked(shown: dict<any>): list<string>
  return sign_getplaced(shown.buf, {group: 'listd'})[0].signs
    ->mapnew((_, placed) => getbufline(shown.buf, placed.lnum)[0])
enddef

var terminals = 0

# Each terminal has a server of its own: one that is about to end would still accept the next session.
def Tmux(arguments: list<string>): string
  var words = ['tmux', '-L', $'listd-test-{getpid()}-{terminals}', '-f', '/dev/null'] + arguments
  return system(words->mapnew((_, word) => shellescape(word))->join())
enddef

# Starts a program in a terminal of its own.
export def Terminal(command: string, environment: string)
  ++terminals
  Tmux(['new-session', '-d', '-x', '80', '-y', '20', '-e', environment, command])
enddef

export def Keys(keys: list<string>)
  Tmux(['send-keys'] + keys)
enddef

# The screen of the terminal, once the condition holds for it.
export def Screen(what: string, Condition: func(string): bool): string
  var screen = ''
  for _ in range(600)
    screen = Tmux(['capture-pane', '-p'])
    if Condition(screen)
      return screen
    endif
    sleep 50m
  endfor
  throw $'waited in vain: {what}: {screen}'
  return ''
enddef

export def CloseTerminal()
  Tmux(['kill-server'])
enddef

export def Finish()
  Say($'vim: {ran - failed} passed, {failed} failed')
  execute failed > 0 ? 'cquit 1' : 'qall!'
enddef
