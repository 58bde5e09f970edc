vim9script
# The daemons of this Vim. Views share one, unless their lists or templates have the same names: names
# are for all lists of one daemon.

import autoload 'listd/ask.vim'
import autoload 'listd/buffer.vim'
import autoload 'listd/client.vim' as wire

const DEFAULTS = {Cell: '{text}', Header: '{text}', Footer: '{text}'}

const RESTED = 10  # seconds after which a daemon is started by itself once more

var daemons: list<dict<any>> = []  # {client, namespace, views by list, templates}

def Templates(view: dict<any>): dict<string>
  return extendnew(DEFAULTS, get(view.options, 'templates', {}))
enddef

def Fits(daemon: dict<any>, view: dict<any>): bool
  if has_key(daemon.views, view.list) && daemon.views[view.list] isnot view
    return false
  endif
  for [name, text] in items(Templates(view))
    if get(daemon.templates, name, text) != text
      return false
    endif
  endfor
  return true
enddef

def Start(namespace: string): dict<any>
  var daemon: dict<any> = {namespace: namespace, views: {}, templates: {}}
  daemon.client = wire.Start((method, params) => {
    var view = get(daemon.views, get(params, 'list', ''), {})
    if !empty(view)
      buffer.Notified(view, method, params)
    elseif method == 'window/logMessage' && params.type <= 2
      ask.Warn(params.message)
    endif
  }, (why) => {
    if !empty(daemon.views)
      ask.Warn($'{why}; its lists show what was known, R starts anew')
    endif
    for view in values(daemon.views)
      buffer.Forget(view, why)
      Restart(view)
    endfor
  }, (why) => ask.Warn($'{why} (:ListdLog has more)'))
  daemons = daemons->filter((_, other) => wire.Running(other.client))->add(daemon)
  return daemon
enddef

# After the daemon's death: has a view that wants it start another, unless it did so just now.
def Restart(view: dict<any>)
  if get(view.options, 'restarts', false) && localtime() > get(view, 'restarted', 0) + RESTED
    view.restarted = localtime()
    timer_start(0, (_) => view.closed || wire.Running(view.client) ? 0 : call(view.options.Refresh, []))
  endif
enddef

def Running(namespace: string): list<dict<any>>
  return daemons->copy()->filter((_, daemon) =>
    daemon.namespace == namespace && wire.Running(daemon.client))
enddef

# The daemon of a view; throws if there is none.
export def Connect(view: dict<any>): dict<any>
  var namespace = get(view.options, 'namespace', '')
  var found = Running(namespace)->filter((_, daemon) => Fits(daemon, view))
  var daemon = empty(found) ? Start(namespace) : found[0]
  daemon.views[view.list] = view
  extend(daemon.templates, Templates(view))
  return daemon.client
enddef

# Forgets a view.
export def Leave(view: dict<any>)
  for daemon in daemons
    if get(daemon.views, view.list, {}) is view
      remove(daemon.views, view.list)
    endif
  endfor
enddef

# The daemon that views without a namespace share; throws if there is none.
export def Shared(): dict<any>
  var running = Running('')
  return (empty(running) ? Start('') : running[0]).client
enddef

export def Stop()
  for daemon in daemons
    wire.Close(daemon.client)
  endfor
enddef

# The latest messages of all daemons.
export def Messages(): list<string>
  var lines: list<string> = []
  for daemon in daemons
    if len(daemons) > 1
      lines->add($'# listd {job_info(daemon.client.job).process} {daemon.namespace}')
    endif
    lines += wire.Messages(daemon.client)
  endfor
  return lines
enddef

defcompile
