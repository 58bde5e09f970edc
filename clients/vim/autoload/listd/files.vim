vim9script
# The files of a folder as a list: it follows the folder, and stays put under the person's hands.

import autoload 'listd/buffer.vim'
import autoload 'listd/view.vim'

const TEMPLATES = {File: '{name}  {size}', Folder: '{name}/'}

# Shows the files of a folder in the current window.
export def Open(path = ''): dict<any>
  var dir = fnamemodify(empty(path) ? '.' : path, ':p')->substitute('\(.\)/\+$', '\1', '')
  if !isdirectory(dir)
    buffer.Warn($'listd: {dir} is no folder')
    return {}
  endif
  var list = 'files:' .. dir
  var shown = view.OfList(list)
  if !empty(shown)
    execute 'buffer' shown.buf
    return shown
  endif
  # The names on disk by the items' ids, and whether a scan is under way, to be followed by another.
  var state = {dir: dir, names: {}, busy: false, again: false, view: {}, timer: -1}
  state.view = view.Open(list, {
    name: 'listd://' .. dir,
    templates: TEMPLATES,
    Refresh: () => Refresh(state),
    Closed: () => timer_stop(state.timer),
    Open: (item, how) => {
      var target = dir .. '/' .. get(state.names, item.id, item.name)
      if isdirectory(target)
        Open(target)
      else
        execute how fnameescape(target)
      endif
    },
  })
  var interval = get(g:, 'listd_files_interval', 1000)
  if interval > 0
    state.timer = timer_start(interval, (_) => {
      if !empty(win_findbuf(state.view.buf))
        Refresh(state)
      endif
    }, {repeat: -1})
  endif
  Refresh(state)
  return state.view
enddef

# Looks at the folder and shows what is there. `ls` tells the files' inodes, which keep a file's row
# where it gets another name; Vim has no function for them.
def Refresh(state: dict<any>)
  if state.busy
    state.again = true
    return
  endif
  state.busy = true
  var inodes: dict<string> = {}
  job_start(['ls', '-Ai1', state.dir], {
    in_io: 'null',
    err_io: 'null',
    out_cb: (_, line) => {
      var [whole, inode, name; _] = matchlist(line, '^\s*\(\d\+\) \(.*\)$') ?? ['', '', '']
      inodes[name] = inode
    },
    close_cb: (_) => {
      if !state.view.closed
        Show(state, inodes)
      endif
    },
  })
enddef

def Show(state: dict<any>, inodes: dict<string>)
  state.names = {}
  var section = {
    id: 'files',
    selectionMode: 'multiple',
    items: readdirex(state.dir, '1', {sort: 'none'})->mapnew((_, file) => Item(state, file, inodes)),
  }
  section.items->sort((a, b) => a.order ==# b.order ? 0 : a.order ># b.order ? 1 : -1)
  section.items->map((_, item) => item->filter((member, _) => member != 'order'))
  var sent = view.Apply(state.view, {sections: [section]}, (err, _) => {
    state.busy = false
    if !empty(err) && !get(err, 'ended', false)
      buffer.Warn('listd: ' .. err.message)
    elseif empty(err) && state.again
      state.again = false
      Refresh(state)
    endif
  })
  state.busy = state.busy && sent
enddef

def Item(state: dict<any>, file: dict<any>, inodes: dict<string>): dict<any>
  var name = strtrans(file.name)
  var id = get(inodes, file.name, '/' .. name)
  if has_key(state.names, id)
    id ..= '/' .. name  # another name of the same file
  endif
  state.names[id] = file.name
  if file.type == 'dir'
    return {id: id, name: name, template: 'Folder', order: '0' .. name}
  endif
  return {id: id, name: name, template: 'File', size: Size(file.size), order: '1' .. name}
enddef

def Size(bytes: number): string
  var rest = 1.0 * bytes
  for unit in ['B', 'K', 'M', 'G']
    if rest < 1000
      return printf(rest < 10 && unit != 'B' ? '%.1f%s' : '%.0f%s', rest, unit)
    endif
    rest = rest / 1024
  endfor
  return printf('%.0fT', rest)
enddef
