vim9script
# Actions of a view, by name, and the keys that do them.

import autoload 'listd/ask.vim'
import autoload 'listd/client.vim' as wire
import autoload 'listd/view.vim' as views

# Closes a view; its windows show the buffer that they showed before.
export def Quit(view: dict<any>)
  for window in win_findbuf(view.buf)
    win_execute(window, 'call listd#maps#ShowBefore(' .. view.buf .. ')')
  endfor
  execute 'bwipeout!' view.buf
enddef

# Shows the buffer that the current window showed before another.
export def ShowBefore(buf: number)
  var before = bufnr('#')
  if before > 0 && before != buf && buflisted(before)
    execute 'buffer' before
  else
    enew
  endif
enddef

# The actions that every view has: [does(view), key].
const ACTIONS: dict<list<any>> = {
  open: [(view) => views.OpenItem(view, 'edit'), '<CR>'],
  split: [(view) => views.OpenItem(view, 'split'), '<C-s>'],
  toggle: [(view) => views.Select(view, 'toggle'), '<Space>'],
  extend: [(view) => views.Select(view, 'extend'), 'x'],
  all: [(view) => views.Select(view, 'all'), 'a'],
  none: [(view) => views.Select(view, 'none'), 'u'],
  invert: [(view) => views.Select(view, 'invert'), 'i'],
  edit: [(view) => views.EditLines(view), 'E'],
  refresh: [(view) => views.Refresh(view), 'R'],
  close: [(view) => Quit(view), 'q'],
}

# All actions of a view: those of every view, and its option `actions`, {name: Does} or
# {name: [Does, key]}.
def ActionsOf(view: dict<any>): dict<list<any>>
  var all = copy(ACTIONS)->filter((name, _) => name != 'edit' || has_key(view.options, 'edit'))
  for [name, action] in items(get(view.options, 'actions', {}))
    all[name] = type(action) == v:t_list ? action : [action, false]
  endfor
  return all
enddef

# Does an action of a view.
export def Run(view: dict<any>, name: string)
  var all = ActionsOf(view)
  if !has_key(all, name)
    throw 'listd: there is no action ' .. name
  endif
  call(all[name][0], [view])
enddef

# Does an action of the view in the current buffer. What it raises is reported in one line.
export def Press(name: string)
  var view = views.OfBuffer()
  if empty(view)
    ask.Warn('there is no list in this buffer')
  else
    wire.Guard(view.client, () => Run(view, name))
  endif
enddef

# Sets the keys of the current buffer, a view's: what the person says in g:listd_maps, then the
# view's option `maps`, then the actions' own. Either is false for no keys at all, or
# {action: key, keys or false}.
export def Set(view: dict<any>)
  var own: any = get(view.options, 'maps', {})
  var persons: any = get(g:, 'listd_maps', {})
  if type(own) != v:t_dict || type(persons) != v:t_dict
    return
  endif
  for [name, action] in items(ActionsOf(view))
    var keys: any = get(persons, name, get(own, name, get(action, 1, false)))
    for key in type(keys) == v:t_list ? keys : [keys]
      if empty(key)
        continue
      endif
      # A key that begins the person's own maps must wait for what follows.
      var leader = get(g:, 'mapleader', '\')
      var raw = key =~ '^<.*>$' ? eval($'"\{key}"') : key
      var how = raw ==# leader ? '<buffer> <silent>' : '<buffer> <nowait> <silent>'
      # :mksession stores the keys, without the script that they are of.
      execute $'nnoremap {how} {key} <Cmd>call listd#maps#Press("{name}")<CR>'
      if name == 'toggle'
        execute $'xnoremap {how} {key} <Cmd>call listd#maps#ToggleArea()<CR>'
      endif
    endfor
  endfor
enddef

# Selects or deselects the rows of the Visual area.
export def ToggleArea()
  var [first, last] = [line('v'), line('.')]
  execute "normal! \<Esc>"
  var view = views.OfBuffer()
  if !empty(view)
    views.SelectLines(view, 'toggle', min([first, last]), max([first, last]))
  endif
enddef

# Highlights the text of the current buffer, a view's: its option `highlights`, a list of
# [pattern, group].
export def Highlight(view: dict<any>)
  for [pattern, group] in get(view.options, 'highlights', [])
    execute $'syntax match {group} /{escape(pattern, '/')}/'
  endfor
enddef

defcompile
