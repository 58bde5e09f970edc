vim9script
# A list in a buffer, from its first snapshot to its end, and what the person does with it.

import autoload 'listd/ask.vim'
import autoload 'listd/buffer.vim'
import autoload 'listd/client.vim' as wire
import autoload 'listd/daemons.vim'
import autoload 'listd/lines.vim' as line_editing
import autoload 'listd/maps.vim'
import autoload 'listd/marks.vim'
import autoload 'listd/rows.vim'
import autoload 'listd/selection.vim'
import autoload 'listd/sending.vim'
import autoload 'listd/text.vim'

var views: dict<dict<any>> = {}  # by the numbers of their buffers

# The daemon that lists without a namespace share, started when it is needed; throws if there is none.
export def Client(): dict<any>
  return daemons.Shared()
enddef

# Ends the daemons; the next thing that needs one starts another.
export def Stop()
  daemons.Stop()
enddef

export def ShowLog()
  var lines = daemons.Messages()
  botright new
  setlocal buftype=nofile bufhidden=wipe noswapfile nowrap
  setline(1, empty(lines) ? ['listd has not been started.'] : lines)
  setlocal nomodifiable
  normal! G
enddef

# Shows a list in the current window, in a buffer of its own. Options: name, of the buffer; namespace;
# templates; Open(item, how), Refresh(), Changed(view, change), Expanded(view, items) and Closed(); actions, maps and
# highlights, see maps.vim.
export def Open(list: string, options: dict<any>): dict<any>
  enew
  var view: dict<any> = {
    list: list,
    buf: bufnr(),
    options: options,
    client: {},
    count: 0,  # lines of the text; an empty buffer has one line and an empty text none
    tick: 0,  # the changedtick of the buffer with this text
    revision: 0,
    text_revision: -1,  # -1 if the text of the daemon is not known
    cursor: null,  # the path of the row that the daemon has the cursor on
    cursor_line: -1,  # the line in that row which set the cursor
    astray: {},  # by windows: {line} of a cursor whose row is being looked for
    selection: selection.NONE,  # the rows that are selected
    section_ids: [],  # of the sections, as they were applied last
    turn: 0,  # numbers the requests for the selected rows; only the last answer is used
    brought: [],  # lines of which it is not known yet whether they are selected
    whole: false,  # whether all rows are being marked
    marked: false,  # whether there are marks
    last_sign: 0,  # the id of the last sign
    turns: [],  # what is asked about rows, in the order of asking
    acts: [],  # what is done with the answers, in the same order
    waiting: [],  # for a change to be shown: {revision, Done, Change()}
    Last: null_function,  # returns the snapshot that was applied last
    unloaded: false,  # whether the buffer has no text, as after :bdelete
    syncing: false,
    again: false,
    following: false,  # whether edits of the text are sent
    rereading: false,  # whether the text is being read
    fresh_revision: -1,  # the number of a text that is read while the buffer shows an older one
    closed: false,
  }
  var name = get(options, 'name', 'listd://' .. list)
  execute 'silent file' fnameescape(bufexists(name) ? $'{name} ({view.buf})' : name)
  views[view.buf] = view
  sign_define('ListdSelected', {text: '*', texthl: 'ListdSign', linehl: 'ListdSelected'})
  augroup listd
    autocmd! * <buffer>
    autocmd CursorMoved,WinEnter <buffer> buffer.Sync(OfBuffer())
    autocmd BufWinEnter <buffer> setlocal nowrap signcolumn=yes
    autocmd BufUnload <buffer> str2nr(expand('<abuf>'))->OfBuffer()->Unload()
    autocmd BufReadCmd <buffer> str2nr(expand('<abuf>'))->OfBuffer()->Reload()
    autocmd BufWipeout <buffer> str2nr(expand('<abuf>'))->OfBuffer()->Close()
  augroup END
  Load(view)
  Attach(view)
  return view
enddef

# Makes the current buffer one of a list, and fills it if it has lost its text.
def Load(view: dict<any>)
  setlocal buftype=nofile bufhidden=hide noswapfile undolevels=-1 nomodifiable buflisted
  setlocal nowrap signcolumn=yes  # or the text jumps with the first and the last selected row
  maps.Set(view)
  setlocal filetype=listd
  maps.Highlight(view)
  view.tick = b:changedtick
  if view.unloaded
    view.unloaded = false
    marks.Unmark(view)
    if wire.Running(view.client)
      text.Reread(view)
    endif
  endif
enddef

def Unload(view: dict<any>)
  if !empty(view)
    extend(view, {unloaded: true, text_revision: -1, cursor_line: -1, count: 0, astray: {}})
    text.Stop(view)
    buffer.Flush(view)
  endif
enddef

def Reload(view: dict<any>)
  if !empty(view)
    Load(view)
    Refresh(view)
  endif
enddef

# Returns the view in a buffer, the current one by default; empty if there is none.
export def OfBuffer(buf = bufnr()): dict<any>
  return get(views, buf, {})
enddef

# The views of a list.
export def OfList(list: string): dict<any>
  for view in values(views)
    if view.list == list
      return view
    endif
  endfor
  return {}
enddef

# Begins to follow the list, also on a new daemon after the old one's death. Returns whether there
# is one.
export def Attach(view: dict<any>): bool
  try
    view.client = daemons.Connect(view)
  catch /^listd: /
    ask.Warn(v:exception)
    return false
  endtry
  extend(view, {text_revision: -1, cursor: null, cursor_line: -1, syncing: false, turns: [], acts: [],
    astray: {}})
  text.Stop(view)
  if has_key(view.options, 'templates')
    ask.Ask(view, 'registerTemplates', {templates: view.options.templates})
  endif
  if view.client.shared
    text.Follow(view)
  else
    text.Subscribe(view, 'textEdits')  # the list is empty
  endif
  return true
enddef

# Shows a snapshot: {sections: …} or {items: …}, and what else `applySnapshot` takes. Returns whether
# it was sent; if the daemon has died, another is started. Done(err, change), when it is shown.
export def Apply(view: dict<any>, snapshot: any, Done: any = null): bool
  if !has_key(view.options, 'Refresh')
    view.Last = () => snapshot
  endif
  view.section_ids = get(snapshot, 'sections', [{id: 'main'}])
    ->mapnew((_, section) => get(section, 'id', null))
  return Change(view, 'applySnapshot', snapshot, Done)
enddef

# Makes edits of the list: what `editSnapshot` takes.
export def EditItems(view: dict<any>, edits: list<any>, Done: any = null): bool
  return Change(view, 'editSnapshot', {edits: edits}, Done)
enddef

# Makes the list one of others, or a view of them: what `compose` takes, {sources: …, view: …}.
export def Compose(view: dict<any>, params: dict<any>, Done: any = null): bool
  return Change(view, 'compose', params, Done)
enddef

# Expands or collapses items of a list that is an outline: 'toggle', 'expand', 'collapse' or 'reveal'
# the row under the cursor, with `deep` also all rows below it, or 'all' or 'none' of all rows.
export def Expand(view: dict<any>, what = 'toggle', deep = false)
  if Revive(view)
    return
  endif
  if what == 'all' || what == 'none'
    EditItems(view, [{edit: what == 'all' ? 'expandAll' : 'collapseAll'}])
    return
  endif
  var kinds = {expand: 'expandItems', collapse: 'collapseItems', reveal: 'revealItems'}
  Item(view, (item, place) => {
    if !has_key(place, 'ref')
      return
    endif
    var kind = get(kinds, what, '')
    if what == 'toggle'
      if type(item) != v:t_dict || !has_key(item, '$expanded')
        return
      endif
      kind = item['$expanded'] ? 'collapseItems' : 'expandItems'
    endif
    var edit: dict<any> = {edit: kind, items: [place.ref]}
    EditItems(view, [deep ? extend(edit, {deep: true}) : edit])
  })
enddef

def Change(view: dict<any>, method: string, params: any, Done: any): bool
  if view.closed || !wire.Running(view.client) && !Attach(view)
    return false
  endif
  sending.Send(view, method, params, (err, change) => {
    if !empty(err)
      if Done != null
        Done(err, null)
      elseif !get(err, 'ended', false)
        ask.Warn(err.message)
      endif
    elseif Done != null && view.closed
      Done({message: 'the view was closed', ended: true}, null)
    elseif Done != null
      view.waiting->add({revision: change.revision, Done: Done, change: change})
      buffer.Flush(view)
    endif
  })
  return true
enddef

# Changes the selection by an action of `select`, with the row under the cursor if it needs one.
export def Select(view: dict<any>, action: string)
  if index(['all', 'none', 'invert'], action) < 0
    SelectLines(view, action, line('.'), line('.'))
  elseif !Revive(view)
    rows.InTurn(view, () => ask.Ask(view, 'select', {list: view.list, action: action}))
  endif
enddef

# Changes the selection by the rows of the lines first to last, counted from 1.
export def SelectLines(view: dict<any>, action: string, first: number, last: number)
  if !Revive(view)
    rows.SelectItems(view, action, first - 1, last - 1)
  endif
enddef

# Finds the items that are selected: Done(items).
export def Selected(view: dict<any>, Done: func)
  rows.InTurn(view, () =>
    ask.Ask(view, 'getSelection', {list: view.list}, (result) => Done(result.items)))
enddef

# Finds what a line shows, counted from 1: Done(item, place). Of a header or footer the item is null,
# and place has `section` and `header` or `footer`. Place is empty if there is nothing.
export def At(view: dict<any>, lnum: number, Done: func)
  rows.WithRow(view, lnum - 1, (row, at) =>
    rows.Content(view, row, at, (place) =>
      Done(get(place, 'item', null), place)))
enddef

# Finds what is under the cursor, as At() does.
export def Item(view: dict<any>, Done: func)
  At(view, line('.'), Done)
enddef

# Does something with the selected items, or, if none is selected, with the one under the cursor:
# Does(items, place). Place is what is under the cursor; of a header there are no items.
export def Act(view: dict<any>, Does: func)
  if Revive(view)
    return
  endif
  rows.WithSelected(view, line('.') - 1, (items, place) => {
    var under: list<any> = has_key(place, 'item') ? [place.item] : []
    Does(empty(items) ? under : items, place)
  })
enddef

# Opens the item under the cursor.
export def OpenItem(view: dict<any>, how: string)
  if Revive(view)
    return
  endif
  Item(view, (item, _) => {
    if item != null && has_key(view.options, 'Open')
      call(view.options.Open, [item, how])
    endif
  })
enddef

# Edits the lines in the current window, if there is the option `edit`.
export def EditLines(view: dict<any>)
  if !Revive(view)
    line_editing.Open(view)
  endif
enddef

# Asks the owner for the list as it is now. If something else has changed the buffer, reads the text again.
export def Refresh(view: dict<any>)
  if wire.Running(view.client) && !view.unloaded && !text.Untouched(view)
    text.Reread(view)
  endif
  if has_key(view.options, 'Refresh')
    call(view.options.Refresh, [])
  elseif !wire.Running(view.client) && view.Last != null_function
    Apply(view, call(view.Last, []))
  endif
enddef

# After the daemon's death: starts another and shows the list anew. Returns whether it had died.
def Revive(view: dict<any>): bool
  if wire.Running(view.client)
    return false
  endif
  Refresh(view)
  if wire.Running(view.client)
    ask.Warn('started again; press the key again')
  endif
  return true
enddef

# Ends following; the list goes with the view.
export def Close(view: dict<any>)
  if empty(view) || view.closed
    return
  endif
  view.closed = true
  view.Last = null_function
  remove(views, view.buf)
  daemons.Leave(view)
  buffer.Forget(view, 'the view was closed')
  if has_key(view.options, 'Closed')
    call(view.options.Closed, [])
  endif
  if wire.Running(view.client)
    wire.Request(view.client, 'unsubscribe', {list: view.list}, (_, _) => 0)
    if !view.client.shared
      wire.Request(view.client, 'removeList', {list: view.list}, (_, _) => 0)
    endif
  endif
enddef

defcompile
