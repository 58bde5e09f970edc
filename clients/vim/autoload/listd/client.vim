vim9script
# A listd process and the conversation with it, over a channel in mode lsp.

const KEPT = 1000  # messages that the log remembers
const WIDEST = 4000  # bytes of a message that it shows
const ROOT = expand('<sfile>:p:h:h:h:h:h')

# The daemon's command and where it was found: the option, $LISTD, `listd` on the path, or this
# checkout's build. The command is empty where there is none.
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

# Starts a daemon; throws where there is none. On_notification(method, params); On_end(why), when the
# process has ended without being asked to.
export def Start(On_notification: func, On_end: func): dict<any>
  var [cmd, where] = Find()
  if empty(cmd)
    throw $'listd: there is no listd to run (looked at {where})'
  endif
  var client: dict<any> = {pending: {}, log: [], ended: '', closing: false, server: {}}
  client.notified = On_notification
  client.on_end = On_end
  client.job = job_start(cmd, {
    in_mode: 'lsp',
    out_mode: 'lsp',
    err_mode: 'nl',
    noblock: 1,
    callback: (_, message) => Notified(client, message),
    err_cb: (_, line) => Log(client, '!', line),
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

# Asks; Done(err, result) is called once, also when the daemon dies. An error is what the daemon
# says, {code, message, data}, or {message, ended: true} of a dead one; else it is empty.
export def Request(client: dict<any>, method: string, params: dict<any>, Done: func)
  if !empty(client.ended)
    timer_start(0, (_) => Done({message: client.ended, ended: true}, null))
    return
  endif
  var sent: any
  try
    sent = ch_sendexpr(client.job, {method: method, params: params},
      {callback: (_, reply) => Replied(client, reply)})
  catch /^Vim\%((\a\+)\)\=:E\%(630\|631\|906\)/
    sent = {}
  endtry
  if empty(sent)
    # The end of the process is about to be told.
    timer_start(0, (_) => Done({message: 'listd has ended', ended: true}, null))
    return
  endif
  client.pending[sent.id] = Done
  Log(client, '→', json_encode({id: sent.id, method: method, params: params}))
enddef

# Asks and waits: the result. An error is thrown as 'listd: <message>'.
export def Call(client: dict<any>, method: string, params: dict<any>, milliseconds = 5000): any
  Log(client, '→', json_encode({method: method, params: params}))
  var reply = ch_evalexpr(client.job, {method: method, params: params}, {timeout: milliseconds})
  if empty(reply)
    throw $'listd: no answer to {method} in time'
  endif
  Log(client, '←', json_encode(reply))
  if has_key(reply, 'error')
    throw $'listd: {reply.error.message}'
  endif
  return reply.result
enddef

export def Notify(client: dict<any>, method: string, params: dict<any>)
  if empty(client.ended)
    ch_sendexpr(client.job, {method: method, params: params})
    Log(client, '→', json_encode({method: method, params: params}))
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

def Replied(client: dict<any>, reply: dict<any>)
  Log(client, '←', json_encode(reply))
  # Replies come in the order of the requests. Vim passes over those that it cannot read, such as
  # one with a member that is there twice.
  for id in client.pending->keys()->map((_, id) => str2nr(id))->filter((_, id) => id < reply.id)
    var Skipped = remove(client.pending, id)
    Skipped({message: 'the reply is no JSON that Vim reads'}, null)
  endfor
  if has_key(client.pending, reply.id)
    var Done = remove(client.pending, reply.id)
    Done(get(reply, 'error', {}), get(reply, 'result', null))
  endif
enddef

def Notified(client: dict<any>, message: dict<any>)
  Log(client, '←', json_encode(message))
  if has_key(message, 'method')
    client.notified(message.method, get(message, 'params', {}))
  endif
enddef

# The process is gone and all it wrote is read: fails what waits.
def Ended(client: dict<any>)
  if !empty(client.ended) || job_status(client.job) != 'dead'
      || ch_status(client.job, {part: 'out'}) != 'closed'
    return
  endif
  var info = job_info(client.job)
  var how = empty(info.termsig) ? $'exit code {info.exitval}' : $'signal {info.termsig}'
  client.ended = $'listd has ended ({how})'
  Log(client, '!', client.ended)
  for id in client.pending->keys()->map((_, id) => str2nr(id))->sort('n')
    var Done = remove(client.pending, id)
    Done({message: client.ended, ended: true}, null)
  endfor
  if !client.closing
    client.on_end(client.ended)
  endif
enddef

def Log(client: dict<any>, sign: string, text: string)
  var line = sign .. ' ' .. text
  var file = get(g:, 'listd_log', '')
  if !empty(file)
    writefile([line], file, 'a')
  endif
  if len(line) > WIDEST
    line = strpart(line, 0, WIDEST) .. $' … ({len(text)} bytes)'
  endif
  client.log->add(line)
  if len(client.log) > 2 * KEPT
    client.log->remove(0, KEPT - 1)
  endif
enddef
