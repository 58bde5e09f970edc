vim9script
# A listd process and the conversation with it: one JSON message a line, replies matched by id.

import autoload 'listd/selection.vim'
import autoload 'listd/slices.vim'

const KEPT = 1000  # messages that the log remembers
const WIDEST = 2000  # bytes of a message that it shows
const TURN = 0.003  # seconds that messages are handled before keys are
const LONG = 50'000  # bytes of a message that is handled in a turn of its own
const PATIENCE = 30000  # milliseconds that a request waits for its answer
# The plugin's folder may be a link into the checkout.
const ROOT = resolve(expand('<sfile>:p'))->fnamemodify(':h:h:h:h:h')

# The daemon's command and how it was found: the option, $LISTD, `listd` on the path, or this
# checkout's build. The command is empty if there is none.
export def Find(): list<any>
  var option = get(g:, 'listd_cmd', '')
  if !empty(option)
    var cmd = type(option) == v:t_list ? option : [option]
    return [executable(cmd[0]) ? cmd : [], 'the option g:listd_cmd, ' .. cmd[0]]
  elseif !empty($LISTD)
    return [executable($LISTD) ? [$LISTD] : [], '$LISTD, ' .. $LISTD]
  elseif executable('listd')
    return [['listd'], 'the path, ' .. exepath('listd')]
  endif
  for build in ['release', 'debug']
    var path = $'{ROOT}/.build/{build}/listd'
    if executable(path)
      return [[path], 'the build folder, ' .. path]
    endif
  endfor
  return [[], $'$LISTD, the path and {ROOT}/.build']
enddef

# Vim looks through all members of a dictionary<any> at each call that it is given to: so what may be
# large is not a member of one, and is passed on as any.
var started = 0
var logs: dict<list<string>> = {}
var inboxes: dict<list<string>> = {}  # messages that are not handled yet
var tails: dict<list<string>> = {}  # what arrived after the last line break, in parts
# When a message was handled first in this turn of Vim's loop; empty if no other is to be handled in it.
var turns: dict<list<any>> = {}

# The words that join a daemon that listens: g:listd_connect is its socket, or all words after
# `listd connect`. Empty if a daemon is to be started.
def Joining(): list<string>
  var connect = get(g:, 'listd_connect', '')
  return empty(connect) ? [] : ['connect'] + (type(connect) == v:t_list ? connect : [connect])
enddef

# Starts a daemon, or joins one; throws if there is none. On_notification(method, params); On_end(why), when the
# process has ended without being asked to; On_error(why), when a callback has failed.
export def Start(On_notification: func, On_end: func, On_error: func = (_) => 0): dict<any>
  var [cmd, where] = Find()
  if empty(cmd)
    throw $'listd: there is no listd to run (looked at {where})'
  endif
  # pending: what waits, by id: {Done, due}, the time in milliseconds
  var words = Joining()
  cmd = cmd + words
  ++started
  var client: dict<any> = {number: started, pending: {}, ended: '', closing: false, held: false, server: {},
    last_id: 0, watching: false, shared: !empty(words), reported: '', patience: get(g:, 'listd_timeout', PATIENCE)}
  inboxes[started] = []
  tails[started] = []
  client.notified = On_notification
  client.on_end = On_end
  client.on_error = On_error
  client.job = job_start(cmd, {
    mode: 'nl',
    out_mode: 'raw',  # Vim would copy a long message each time that more of it arrives
    noblock: 1,
    out_cb: (_, part) => Received(client, part),
    err_cb: (_, line) => Reported(client, line),
    close_cb: (_) => Ended(client),
    exit_cb: (_, _) => Ended(client),
  })
  if job_status(client.job) == 'fail'
    throw $'listd: {cmd[0]} does not start'
  endif
  Request(client, 'initialize', {processId: getpid(), clientInfo: {name: 'Vim'}}, (err, result) => {
    if empty(err)
      client.server = result
    endif
  })
  Notify(client, 'initialized', {})
  return client
enddef

def Reported(client: dict<any>, line: string)
  client.reported = line
  Log(client, '!', line)
enddef

# Sends a request; Done(err, result) is called once, also when the daemon dies. The error is what the
# daemon reports, {code, message, data}; {message, ended: true} if the daemon has ended; {message, timeout:
# true} if no answer arrives in time; {message, invalid: true} if the params are not JSON; else it is empty.
# If `briefly` is true, a large `selection` in the result is JSON text.
export def Request(client: dict<any>, method: string, params: any, Done: func, briefly = false)
  var Fail = (err) => {
    timer_start(0, (_) => Call_back(client, Done, err, null))
  }
  if !empty(client.ended)
    Fail({message: client.ended, ended: true})
    return
  endif
  var text = ''
  try
    text = json_encode({jsonrpc: '2.0', id: client.last_id + 1, method: method, params: params})
  catch /^Vim\%((\a\+)\)\=:E/
    Fail({message: $'{method}: {substitute(v:exception, '^Vim\S*:', '', '')}', invalid: true})
    return
  endtry
  ++client.last_id
  client.pending[client.last_id] = {Done: Done, due: Now() + client.patience, briefly: briefly}
  Watch(client)
  Send(client, text)
enddef

def Send(client: dict<any>, text: string)
  Log(client, '→', text)
  try
    ch_sendraw(client.job, text .. "\n")
  catch /^Vim\%((\a\+)\)\=:E\%(630\|631\|906\)/
    # The end of the process is about to be reported, and fails what waits.
  endtry
enddef

def Now(): number
  return float2nr(reltimefloat(reltime()) * 1000)
enddef

# Calls a callback. What it raises is reported, and harms nobody else.
export def Guard(client: dict<any>, Does: func)
  try
    Does()
  catch
    if empty(client)
      throw v:exception
    endif
    Log(client, '!', $'{v:exception} at {v:throwpoint}')
    call(client.on_error, [v:exception])
  endtry
enddef

def Call_back(client: dict<any>, Done: func, err: any, result: any)
  Guard(client, () => Done(err, result))
enddef

# Answers a request that waits.
def Answer(client: dict<any>, id: number, err: any, result: any)
  if has_key(client.pending, id)
    var waiting = remove(client.pending, id)
    Call_back(client, waiting.Done, err, waiting.briefly ? result : selection.Full(result))
  endif
enddef

def Waiting(client: dict<any>): list<number>
  return client.pending->keys()->map((_, id) => str2nr(id))->sort('n')
enddef

# Fails what has waited for too long, for as long as anything waits.
def Watch(client: dict<any>)
  if client.watching
    return
  endif
  client.watching = true
  timer_start(max([20, min([1000, client.patience / 4])]), (_) => {
    client.watching = false
    var now = Now()
    for id in Waiting(client)
      if has_key(client.pending, id) && client.pending[id].due <= now
        Cancel(client, id)
        var text = $'no answer within {client.patience} ms'
        Answer(client, id, {message: text, timeout: true}, null)
      endif
    endfor
    if !empty(client.pending) && empty(client.ended)
      Watch(client)
    endif
  })
enddef

# Asks and waits: the result. An error is thrown as 'listd: <message>'. Events are handled meanwhile.
export def Call(client: dict<any>, method: string, params: any, milliseconds = 5000): any
  var answer: list<any> = []
  Request(client, method, params, (err, result) => extend(answer, [err, result]))
  if !Wait(client, milliseconds, () => !empty(answer))
    throw $'listd: no answer to {method} in time'
  elseif !empty(answer[0])
    throw $'listd: {answer[0].message}'
  endif
  return answer[1]
enddef

# Handles events until the condition holds, or the time is over; returns whether it holds.
export def Wait(client: dict<any>, milliseconds: number, Condition: func(): bool): bool
  var end = Now() + milliseconds
  while !Condition() && Now() < end
    sleep 1m
    # While Vim ends, no timer does.
    slices.GoOn()
    GoOn(client)
  endwhile
  return Condition()
enddef

export def Notify(client: dict<any>, method: string, params: any)
  if empty(client.ended)
    Send(client, json_encode({jsonrpc: '2.0', method: method, params: params}))
  endif
enddef

# Asks the daemon to drop a request that it has not carried out yet.
export def Cancel(client: dict<any>, id: number)
  Notify(client, '$/cancelRequest', {id: id})
enddef

# Ends the daemon: what was asked is still answered.
export def Close(client: dict<any>)
  if !empty(client.ended) || client.closing
    return
  endif
  client.closing = true
  Request(client, 'shutdown', {}, (_, _) => {
    Notify(client, 'exit', {})
  })
  timer_start(2000, (_) => {
    if empty(client.ended)
      job_stop(client.job, 'kill')
    endif
  })
enddef

# Whether it runs and is to go on.
export def Running(client: dict<any>): bool
  return !empty(client) && empty(client.ended) && !client.closing
enddef

# Whether the daemon has answered that it has a feature.
export def Has(client: dict<any>, feature: string): bool
  return index(get(get(client.server, 'capabilities', {}), 'features', []), feature) >= 0
enddef

def Received(client: dict<any>, part: string)
  var stop = stridx(part, "\n")
  if stop < 0
    tails[client.number]->add(part)
    return
  endif
  # Of a long message, each step is a copy.
  inboxes[client.number]->add(tails[client.number]->add(strpart(part, 0, stop))->join(''))
  var rest = strpart(part, stop + 1)
  var last = strridx(rest, "\n")
  inboxes[client.number]->extend(Lines(strpart(rest, 0, max([0, last]))))
  tails[client.number] = [strpart(rest, last + 1)]
  if has_key(turns, client.number) || len(part) <= LONG
    HandleAll(client)
  else
    Begin(client, [])  # to receive them has taken its time
  endif
enddef

# The lines of a text. To search a long line by split() takes long.
def Lines(text: string): list<string>
  var lines: list<string> = []
  var [from, length] = [0, len(text)]
  while from < length
    var stop = length - from <= LONG ? length : strridx(text, "\n", from + LONG)
    if stop >= from
      lines->extend(split(strpart(text, from, stop - from), "\n"))
    else
      stop = stridx(text, "\n", from + 1)
      stop = stop < 0 ? length : stop
      lines->add(strpart(text, from, stop - from))
    endif
    from = stop + 1
  endwhile
  return lines
enddef

# Handles messages in their order for a while; then Vim handles keys, which it would not as long as messages
# arrive, and a timer goes on.
def HandleAll(client: dict<any>)
  var inbox = inboxes[client.number]
  while !client.held && !empty(inbox)
    var isLong = len(inbox[0]) > LONG
    if !has_key(turns, client.number)
      Begin(client, isLong ? [] : reltime())
    elseif isLong || empty(turns[client.number]) || reltimefloat(reltime(turns[client.number])) > TURN
      return
    endif
    Handle(client, inbox->remove(0))
  endwhile
  Ended(client)
enddef

# Begins a turn, as there is none or it is over.
def Begin(client: dict<any>, start: list<any>)
  turns[client.number] = start
  timer_start(empty(start) ? slices.TURN : 0, (_) => GoOn(client))
enddef

# Handles messages in a new turn.
def GoOn(client: dict<any>)
  if has_key(turns, client.number)
    remove(turns, client.number)
  endif
  HandleAll(client)
enddef

# Lets all further messages wait until Resume().
export def Hold(client: dict<any>)
  client.held = true
enddef

export def Resume(client: dict<any>)
  client.held = false
  HandleAll(client)
enddef

def Handle(client: dict<any>, line: string)
  Log(client, '←', line)
  var message: any = null
  try
    message = selection.Decode(line)
  catch
    Log(client, '!', v:exception)
  endtry
  if type(message) != v:t_dict
    Unreadable(client, line)
  elseif has_key(message, 'method')
    Guard(client, () => call(client.notified, [message.method, get(message, 'params', {})]))
  elseif type(get(message, 'id')) == v:t_number && has_key(message, 'id')
    Answer(client, message.id, get(message, 'error', {}), get(message, 'result', null))
  elseif has_key(message, 'error') && !empty(client.pending)
    # A reply without an id is to the request that waits longest.
    Answer(client, Waiting(client)[0], message.error, null)
  endif
enddef

# Fails the request to which a line is the reply that Vim cannot read, such as one with a duplicate member:
# without an id, the one that waits longest.
def Unreadable(client: dict<any>, line: string)
  var id = matchstr(line, '^{"jsonrpc":"2.0","id":\zs\d\+')
  if !empty(client.pending) && line !~ '^{"jsonrpc":"2.0","method"'
    var first = empty(id) ? Waiting(client)[0] : str2nr(id)
    Answer(client, first, {message: 'the reply is no JSON that Vim reads'}, null)
  endif
enddef

# After the end of the process and of its output, which was handled: fails all pending requests.
def Ended(client: dict<any>)
  if !empty(client.ended) || ch_status(client.job, {part: 'out'}) != 'closed'
      || job_status(client.job) != 'dead' || !empty(inboxes[client.number])
    return
  endif
  var info = job_info(client.job)
  var how = empty(info.termsig) ? $'exit code {info.exitval}' : $'signal {info.termsig}'
  var why = client.shared && !empty(client.reported) ? ': ' .. client.reported : ''
  client.ended = $'listd has ended ({how}){why}'
  Log(client, '!', client.ended)
  for id in Waiting(client)
    Answer(client, id, {message: client.ended, ended: true}, null)
  endfor
  if !client.closing
    call(client.on_end, [client.ended])
  endif
enddef

# Remembers a message, or a line of words.
def Log(client: dict<any>, sign: string, text: string)
  var file = get(g:, 'listd_log', '')
  if !empty(file)
    writefile([sign .. ' ' .. text], file, 'a')
  endif
  if !has_key(logs, client.number)
    logs[client.number] = []
  endif
  var log = logs[client.number]
  log->add($'{sign} {len(text) > WIDEST ? $'{strpart(text, 0, WIDEST)} … ({len(text)} bytes)' : text}')
  if len(log) > 2 * KEPT
    log->remove(0, KEPT - 1)
  endif
enddef

# The latest messages, one a line.
export def Messages(client: dict<any>): list<string>
  return copy(get(logs, client.number, []))
enddef

defcompile
