vim9script
# A list in a buffer, from its first snapshot to its end, and what the person does with it.

import autoload 'listd/buffer.vim'
import autoload 'listd/client.vim' as wire

var client: dict<any> = {}
var views: dict<dict<any>> = {}  # by the names of their lists

const MAPS = {
  open: '<CR>', split: '<C-s>', toggle: '<Space>', extend: 'x', all: 'a', none: 'u', invert: 'i',
  refresh: 'R', close: 'q',
}

# The daemon of this Vim, started when it is needed; throws where there is none.
export def Client(): dict<any>
  if !wire.Running(client)
    client = wire.Start(Notified, Lost)
  endif
  return client
enddef

# Ends the daemon; the next thing that needs one starts another.
export def Stop()
  if !empty(client)
    wire.Close(client)
  endif
enddef

export def ShowLog()
  botright new
  setlocal buftype=nofile bufhidden=wipe noswapfile nowrap
  setline(1, empty(client) ? ['listd has not been started.'] : client.log)
  setlocal nomodifiable
  normal! G
enddef

# Shows a list in the current window, in a buffer of its own. Options: name, of the buffer;
# templates; Open(item, how), Refresh() and Closed(), what the keys and the end of the buffer do.
export def Open(list: string, options: dict<any>): dict<any>
  enew
  setlocal buftype=nofile bufhidden=hide noswapfile undolevels=-1 nomodifiable
  setlocal nowrap signcolumn=yes  # or the text jumps with the first and the last selected row
  if has_key(options, 'name')
    execute 'silent file' fnameescape(options.name)
  endif
  var view: dict<any> = {
    list: list,
    buf: bufnr(),
    options: options,
    client: {},
    count: 0,  # lines of the text; an empty buffer has one line and an empty text none
    revision: 0,
    text_revision: -1,  # where the text of the daemon is not known
    cursor: null,  # the path of the row that the daemon has the cursor on
    cursor_line: -1,  # where that row begins
    offset: 0,  # from there to the person's line, in a row of several lines
    selection: [],
    turn: 0,  # of asking where the selected rows are; only the last one's answer counts
    syncing: false,
    again: false,
    rereading: false,
    closed: false,
  }
  views[list] = view
  sign_define('ListdSelected', {text: '*', texthl: 'ListdSign', linehl: 'ListdSelected'})
  augroup listd
    autocmd! * <buffer>
    autocmd CursorMoved,WinEnter <buffer> buffer.Sync(OfBuffer())
    autocmd BufWinEnter <buffer> setlocal signcolumn=yes
    autocmd BufWipeout <buffer> str2nr(expand('<abuf>'))->OfBuffer()->Close()
  augroup END
  Map()
  setlocal filetype=listd
  Attach(view)
  return view
enddef

# The view in a buffer, the current one if none is named; empty where there is none.
export def OfBuffer(buf = bufnr()): dict<any>
  for view in values(views)
    if view.buf == buf
      return view
    endif
  endfor
  return {}
enddef

export def OfList(list: string): dict<any>
  return get(views, list, {})
enddef

# Begins to follow the list, also on a new daemon after the old one's death. Returns whether there
# is one.
export def Attach(view: dict<any>): bool
  try
    view.client = Client()
  catch /^listd: /
    buffer.Warn(v:exception)
    return false
  endtry
  extend(view, {text_revision: -1, cursor: null, cursor_line: -1, syncing: false, rereading: false})
  if has_key(view.options, 'templates')
    buffer.Ask(view, 'registerTemplates', {templates: view.options.templates}, (_) => 0)
  endif
  var params = {list: view.list, format: 'textEdits', content: false}
  buffer.Ask(view, 'subscribe', params, (state) => {
    extend(view, {revision: state.revision, selection: state.selection, cursor: state.cursor})
    if state.revision > 0
      buffer.Reread(view)
    endif
  })
  return true
enddef

# Shows a snapshot: {sections: …} or {items: …}, and what else `applySnapshot` takes. Returns whether
# it was sent; where the daemon has died, another is started. Done(err, change).
export def Apply(view: dict<any>, snapshot: dict<any>, Done: func): bool
  if !wire.Running(view.client) && !Attach(view)
    return false
  endif
  wire.Request(view.client, 'applySnapshot', extendnew(snapshot, {list: view.list}), Done)
  return true
enddef

# Changes the selection: an action of `select`, with the row under the cursor where it needs one.
export def Select(view: dict<any>, action: string)
  if index(['all', 'none', 'invert'], action) >= 0
    buffer.Ask(view, 'select', {list: view.list, action: action}, (_) => 0)
  else
    buffer.Row(view, (row) => {
      var params = {list: view.list, action: action, items: [row]}
      buffer.Ask(view, 'select', params, (_) => 0)
    }, () => 0)
  endif
enddef

# Changes the selection by the rows of the lines first to last, counted from 1.
export def SelectLines(view: dict<any>, action: string, first: number, last: number)
  buffer.Rows(view, range(first - 1, last - 1), (rows) => {
    buffer.Ask(view, 'select', {list: view.list, action: action, items: rows}, (_) => 0)
  }, (changed) => {
    if changed
      buffer.Warn('listd: the list has just changed, nothing is selected')
    endif
  })
enddef

# Finds the items that are selected: Done(items).
export def Selected(view: dict<any>, Done: func)
  buffer.Ask(view, 'getSelection', {list: view.list}, (told) => Done(told.items))
enddef

# Opens the item under the cursor.
export def OpenItem(view: dict<any>, how: string)
  buffer.Row(view, (row) => {
    buffer.Ask(view, 'locate', {list: view.list, paths: [row.path]}, (found) => {
      if found.paths[0] != null && has_key(view.options, 'Open')
        view.options.Open(found.paths[0].content, how)
      endif
    })
  }, () => 0)
enddef

export def Refresh(view: dict<any>)
  if has_key(view.options, 'Refresh')
    view.options.Refresh()
  endif
enddef

# Ends following; the list goes with the view.
export def Close(view: dict<any>)
  if empty(view) || view.closed
    return
  endif
  view.closed = true
  remove(views, view.list)
  if has_key(view.options, 'Closed')
    view.options.Closed()
  endif
  if wire.Running(view.client)
    wire.Request(view.client, 'unsubscribe', {list: view.list}, (_, _) => 0)
    wire.Request(view.client, 'removeList', {list: view.list}, (_, _) => 0)
  endif
enddef

def Notified(method: string, params: dict<any>)
  var view = OfList(get(params, 'list', ''))
  if !empty(view)
    buffer.Told(view, method, params)
  elseif method == 'window/logMessage' && params.type <= 2
    buffer.Warn('listd: ' .. params.message)
  endif
enddef

# What is shown stays, and is what was known last.
def Lost(why: string)
  for view in values(views)
    extend(view, {cursor_line: -1, syncing: false, rereading: false})
  endfor
  buffer.Warn($'listd: {why}; the lists show what they were, refreshing starts anew')
enddef

# Sets the key maps of the current buffer.
def Map()
  var own: any = get(g:, 'listd_maps', {})
  if type(own) != v:t_dict
    return
  endif
  for [action, usual] in items(MAPS)
    var key = get(own, action, usual)
    if !empty(key)
      execute $'nnoremap <buffer> <nowait> <silent> {key} <ScriptCmd>Act("{action}")<CR>'
    endif
  endfor
  var key = get(own, 'toggle', MAPS.toggle)
  if !empty(key)
    execute $'xnoremap <buffer> <nowait> <silent> {key} :ListdSelect toggle<CR>'
  endif
enddef

def Act(action: string)
  var view = OfBuffer()
  if action == 'open'
    OpenItem(view, 'edit')
  elseif action == 'split'
    OpenItem(view, 'split')
  elseif action == 'refresh'
    Refresh(view)
  elseif action == 'close'
    execute 'bwipeout!' view.buf
  else
    Select(view, action)
  endif
enddef
