vim9script
# The files of a folder as a list: it follows the folder, and stays put under the person's hands.

import autoload 'listd/ask.vim'
import autoload 'listd/client.vim' as wire
import autoload 'listd/folder.vim' as folders
import autoload 'listd/slices.vim'
import autoload 'listd/view.vim'

const TEMPLATES = {File: '{name}  {size}', Folder: '{name}/'}
const MANY = 100  # files that change at once, from which on the whole list is sent again
const REST = 5  # times as long as looking takes, until the next look

var opened: dict<dict<any>> = {}  # views by folders

# Shows the files of a folder in the current window.
export def Open(path = ''): dict<any>
  var dir = fnamemodify(empty(path) ? '.' : path, ':p')->substitute('\(.\)/\+$', '\1', '')
  if !isdirectory(dir)
    ask.Warn($'{dir} is no folder')
    return {}
  elseif has_key(opened, dir)
    execute 'buffer' opened[dir].buf
    return opened[dir]
  endif
  folders.Open(dir)
  # Whether a look is under way, to be followed by another; whether all is to be sent again.
  var state = {dir: dir, busy: false, again: false, whole: true, view: {}, timer: -1}
  state.view = view.Open('files:' .. dir, {
    name: 'listd://' .. dir,
    templates: TEMPLATES,
    Refresh: () => Refresh(state),
    Closed: () => {
      timer_stop(state.timer)
      folders.Close(dir)
      remove(opened, dir)
    },
    Open: (item, how) => {
      var target = dir .. '/' .. folders.NameOf(dir, item.id, item.name)
      if isdirectory(target)
        Open(target)
      else
        execute how fnameescape(target)
      endif
    },
  })
  opened[dir] = state.view
  Refresh(state)
  return state.view
enddef

# Looks at the folder again after a while, as long as a window shows it.
def Later(state: dict<any>, took: float)
  var interval = get(g:, 'listd_files_interval', 1000)
  if interval > 0 && !state.view.closed
    timer_stop(state.timer)
    state.timer = timer_start(max([interval, float2nr(took * 1000 * REST)]), (_) => {
      if empty(win_findbuf(state.view.buf))
        Later(state, took)
      else
        Refresh(state)
      endif
    })
  endif
enddef

# Looks at the folder and shows what is there.
def Refresh(state: dict<any>)
  if state.busy
    state.again = true
    return
  endif
  state.busy = true
  var start = reltime()
  var Finished = (err, _) => {
    state.busy = false
    if state.view.closed
      return
    elseif !empty(err)
      state.whole = true  # the list is not what was thought
      if !get(err, 'ended', false) && !has_key(err, 'data')
        ask.Warn(err.message)
      endif
    endif
    if state.again || !empty(err) && has_key(err, 'data')
      state.again = false
      Refresh(state)
    else
      Later(state, reltimefloat(reltime(start)))
    endif
  }
  folders.Look(state.dir, (Changed) => {
    if state.view.closed
      return
    elseif Changed == null
      ask.Warn($'{state.dir} cannot be read')
      Finished({}, null)
    else
      Show(state, Changed, Finished)
    endif
  })
enddef

# Shows all files, then frees the items, in slices.
def ShowAll(state: dict<any>, items: any, Finished: func)
  var snapshot = {sections: [{id: 'files', selectionMode: 'multiple', items: items}]}
  var Shown = (err, change) => {
    Finished(err, change)
    slices.Run((_) => {
      if empty(items)
        return false
      endif
      remove(items, -1)
      return true
    }, () => 0)
  }
  if !view.Apply(state.view, snapshot, Shown)
    state.whole = true
    Finished({}, null)
  endif
enddef

def Show(state: dict<any>, Changed: func, Finished: func)
  if state.whole || len(Changed()) > MANY || !wire.Running(state.view.client)
    state.whole = false
    folders.Rebuild(state.dir, Changed, (items) => {
      if !state.view.closed
        ShowAll(state, items, Finished)
      endif
    })
    return
  endif
  var edits = folders.Edits(state.dir, Changed)
  if empty(edits) || !view.EditItems(state.view, edits, Finished)
    Finished({}, null)
  endif
enddef

# Shows the folders of buffers that only have the name of one, as after a session was loaded or by
# `:edit listd:///folder`.
export def Restore()
  for info in getbufinfo()
    var dir = matchstr(info.name, '^listd://\zs/.*')
    if !empty(info.windows) && isdirectory(dir) && empty(view.OfBuffer(info.bufnr))
      for window in info.windows
        win_execute(window, 'enew!')
      endfor
      execute 'bwipeout!' info.bufnr
      for window in info.windows
        win_execute(window, $'call listd#files#Open({string(dir)})')
      endfor
    endif
  endfor
enddef
