vim9script
# The files of a folder as a list: it follows the folder, and stays put under the person's hands.

import autoload 'listd/ask.vim'
import autoload 'listd/client.vim' as wire
import autoload 'listd/folders.vim'
import autoload 'listd/view.vim'

const TEMPLATES = {File: '{name:line}  {size:bytes}', Folder: '{name:line}/', Link: '{name:line} -> {target:line}'}
const ORDER = [{by: 'lazy', order: 'descending'}, {by: 'name'}]

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
  var state: dict<any> = {dir: dir, source: $'files of {getpid()}.{localtime()}.{rand()}'}
  state.view = view.Open($'{state.source}: {dir}', {
    name: 'listd://' .. dir,
    templates: TEMPLATES,
    restarts: true,
    Refresh: () => {
      if !wire.Running(state.view.client) && view.Attach(state.view)
        Begin(state)
      endif
    },
    Closed: () => {
      remove(opened, dir)
      folders.Close(state.view, state.source)
    },
    Open: (item, how) => {
      var target = folders.Path(dir, item)
      if isdirectory(target)
        Open(target)
      else
        execute how fnameescape(target)
      endif
    },
  })
  opened[dir] = state.view
  Begin(state)
  return state.view
enddef

# Has the daemon read the folder, and shows its files.
def Begin(state: dict<any>)
  folders.Show(state.view, state.source, state.dir, {sort: ORDER}, {identity: 'name', templates: true})
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

defcompile
