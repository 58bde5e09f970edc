vim9script
# A list in a buffer: changes come as text edits, the cursor and the selection go both ways.

import autoload 'listd/client.vim' as wire
import autoload 'listd/edits.vim'

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
    autocmd CursorMoved,WinEnter <buffer> OfBuffer()->Sync()
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
    Warn(v:exception)
    return false
  endtry
  extend(view, {text_revision: -1, cursor: null, cursor_line: -1, syncing: false, rereading: false})
  if has_key(view.options, 'templates')
    Ask(view, 'registerTemplates', {templates: view.options.templates}, (_) => 0)
  endif
  var params = {list: view.list, format: 'textEdits', content: false}
  Ask(view, 'subscribe', params, (state) => {
    extend(view, {revision: state.revision, selection: state.selection, cursor: state.cursor})
    if state.revision > 0
      Reread(view)
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
    Ask(view, 'select', {list: view.list, action: action}, (_) => 0)
  else
    Row(view, (row) => {
      var params = {list: view.list, action: action, items: [row]}
      Ask(view, 'select', params, (_) => 0)
    }, () => 0)
  endif
enddef

# Changes the selection by the rows of the lines first to last, counted from 1.
export def SelectLines(view: dict<any>, action: string, first: number, last: number)
  Rows(view, range(first - 1, last - 1), (rows) => {
    Ask(view, 'select', {list: view.list, action: action, items: rows}, (_) => 0)
  }, (changed) => {
    if changed
      Warn('listd: the list has just changed, nothing is selected')
    endif
  })
enddef

# Finds the items that are selected: Done(items).
export def Selected(view: dict<any>, Done: func)
  Ask(view, 'getSelection', {list: view.list}, (told) => Done(told.items))
enddef

# Opens the item under the cursor.
export def OpenItem(view: dict<any>, how: string)
  Row(view, (row) => {
    Ask(view, 'locate', {list: view.list, paths: [row.path]}, (found) => {
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

# Tells the daemon the row that the person is on, once at a time.
export def Sync(view: dict<any>)
  if empty(view)
    return
  endif
  var known = view.cursor_line >= 0 && view.cursor_line + view.offset == line('.') - 1
  if !wire.Running(view.client) || view.count == 0 || known
    return
  elseif view.syncing
    view.again = true
    return
  endif
  view.syncing = true
  var asked = line('.') - 1
  var Finished = () => {
    view.syncing = false
    if view.again && bufnr() == view.buf
      view.again = false
      Sync(view)
    endif
  }
  Row(view, (row) => {
    var at = view.text_revision
    asked = line('.') - 1
    Ask(view, 'select', {list: view.list, cursor: row}, (told) => {
      view.cursor = told.cursor
      Ask(view, 'locate', {list: view.list, paths: [row.path], text: true}, (found) => {
        if at == view.text_revision && found.paths[0] != null
          view.cursor_line = found.paths[0].line
          view.offset = max([0, min([asked - view.cursor_line, found.paths[0].lineCount - 1])])
        endif
        view.again = view.again || line('.') - 1 != asked
        Finished()
      }, Finished)
    }, Finished)
  }, Finished)
enddef

def Notified(method: string, params: dict<any>)
  var view = OfList(get(params, 'list', ''))
  if !empty(view)
    Told(view, method, params)
  elseif method == 'window/logMessage' && params.type <= 2
    Warn('listd: ' .. params.message)
  endif
enddef

# What is shown stays, and is what was known last.
def Lost(why: string)
  for view in values(views)
    extend(view, {cursor_line: -1, syncing: false, rereading: false})
  endfor
  Warn($'listd: {why}; the lists show what they were, refreshing starts anew')
enddef

# Takes in what the daemon tells of the list.
def Told(view: dict<any>, method: string, params: dict<any>)
  if method == 'didChange'
    view.revision = params.revision
    if get(params, 'textRevision', -2) != view.text_revision
      if get(params, 'baseTextRevision', -2) == view.text_revision && has_key(params, 'textEdits')
        Edit(view, edits.Read(params.textEdits), params.cursorLine)
        view.text_revision = params.textRevision
      else
        Reread(view)
      endif
    endif
    view.cursor = params.cursor
    Mark(view, params.selection)
  elseif method == 'didSelect'
    Mark(view, params.selection)
    if params.cursor != null && params.cursor != view.cursor
      view.cursor = params.cursor
      Go(view, params.cursor)
    endif
  elseif method == 'didRemove'
    Edit(view, [{first: 0, last: view.count, lines: []}], null)
    extend(view, {revision: 0, text_revision: -1})
    Mark(view, [])
  endif
enddef

# Gets the whole text, as at the start and where an edit does not fit.
def Reread(view: dict<any>)
  if view.rereading
    return
  endif
  view.rereading = true
  Ask(view, 'getText', {list: view.list}, (now) => {
    view.rereading = false
    var old = view.count > 0 ? getbufline(view.buf, 1, '$') : []
    var new = edits.Lines(now.text)
    view.revision = now.revision
    Edit(view, edits.Between(old, new), now.cursorLine,
      (line) => line < len(old) ? index(new, old[line]) : -1)
    view.text_revision = now.textRevision
    Mark(view, view.selection)
  }, () => {
    view.rereading = false
  })
enddef

# Edits the buffer; a window whose cursor is on the daemon's row goes with that row. Find(line) tells
# where a line is now, if the edits do not know.
def Edit(view: dict<any>, changes: list<dict<any>>, cursor_line: any, Find: func = (_) => -1)
  var followed = view.cursor_line < 0 ? -1 : view.cursor_line + view.offset
  var windows = win_findbuf(view.buf)->mapnew((_, win) =>
    [win, getcurpos(win), getwininfo(win)[0].topline])
  var empty = view.count == 0
  setbufvar(view.buf, '&modifiable', true)
  view.count = edits.Apply(view.buf, view.count, changes, (line) => {
    for placed in sign_getplaced(view.buf, {group: 'listd', lnum: line + 1})[0].signs
      sign_unplace('listd', {buffer: view.buf, id: placed.id})
    endfor
  })
  setbufvar(view.buf, '&modifiable', false)
  for [win, cursor, top] in windows
    var old = cursor[1] - 1
    var line = Find(old)
    if empty
      line = cursor_line == null ? 0 : cursor_line
    elseif cursor_line != null && old == followed
      line = cursor_line + view.offset
    elseif line < 0
      line = edits.Carried(old, changes)
    endif
    line = max([0, min([line, view.count - 1])])
    # What shows its top goes on showing it; else the row stays where it is on the screen.
    var topline = top > 1 ? max([1, top + line - old]) : 1
    var state = {lnum: line + 1, col: cursor[2] - 1, coladd: cursor[3], curswant: cursor[4] - 1,
      topline: topline}
    win_execute(win, $'call winrestview({string(state)})')
  endfor
  view.cursor_line = cursor_line == null ? -1 : cursor_line
  if view.offset > 0
    # The row may have other lines now, or be another row.
    extend(view, {cursor_line: -1, offset: 0})
    if bufnr() == view.buf
      Sync(view)
    endif
  endif
enddef

# Goes to a row, as somebody else has done in the list.
def Go(view: dict<any>, path: list<number>)
  var turn = view.turn
  Ask(view, 'locate', {list: view.list, paths: [path], text: true}, (found) => {
    if turn == view.turn && found.paths[0] != null
      extend(view, {cursor_line: found.paths[0].line, offset: 0})
      if bufwinid(view.buf) >= 0
        win_execute(bufwinid(view.buf), $'call cursor({view.cursor_line + 1}, 1)')
      endif
    endif
  })
enddef

# Finds the row of the line under the cursor: Done(row), an item reference. A header is no row:
# nothing is done but Otherwise().
def Row(view: dict<any>, Done: func, Otherwise: func)
  Rows(view, [line('.') - 1], (rows) => Done(rows[0]), (changed) => {
    if changed && bufnr() == view.buf
      Row(view, Done, Otherwise)
    else
      Otherwise()
    endif
  })
enddef

# Finds the rows of lines: Done(rows), or Otherwise(changed) where there are none, or where the text
# has changed meanwhile.
def Rows(view: dict<any>, lines: list<number>, Done: func, Otherwise: func)
  var at = view.text_revision
  Ask(view, 'locate', {list: view.list, lines: lines}, (found) => {
    var rows = found.lines
      ->filter((_, place) => place != null && has_key(place, 'at'))
      ->mapnew((_, place) => ({path: place.at, revision: view.revision}))
    if !empty(rows) && at == view.text_revision
      Done(rows)
    else
      Otherwise(at != view.text_revision)
    endif
  }, () => Otherwise(false))
enddef

# Marks the selected rows, once their lines are known.
def Mark(view: dict<any>, selection: list<any>)
  view.selection = selection
  view.turn += 1
  var turn = view.turn
  var paths: list<list<number>> = []
  for range in selection
    paths->add(range.at)->add([range.at[0], range.at[1] + range.count - 1])
  endfor
  var Show = (places: list<any>) => {
    if turn != view.turn
      return
    endif
    var lines: list<number> = []
    for i in range(len(places) / 2)
      var [first, last] = places[2 * i : 2 * i + 1]
      lines += range(first.line + 1, last.line + last.lineCount)
    endfor
    sign_unplace('listd', {buffer: view.buf})
    sign_placelist(lines->mapnew((_, lnum) =>
      ({group: 'listd', name: 'ListdSelected', buffer: view.buf, lnum: lnum})))
  }
  if empty(paths)
    Show([])
  else
    # An error means that the rows have changed again, and the change marks them anew.
    Ask(view, 'locate', {list: view.list, paths: paths, text: true},
      (found) => Show(found.paths), () => 0)
  endif
enddef

# Asks the daemon: Done(result), or Otherwise() and, where nobody minds, a warning.
def Ask(view: dict<any>, method: string, params: dict<any>, Done: func, Otherwise: any = null)
  var asked = view.client
  if empty(asked)
    return
  endif
  wire.Request(asked, method, params, (err, result) => {
    if view.closed || asked isnot view.client
      return
    elseif empty(err)
      Done(result)
    elseif Otherwise != null
      Otherwise()
    elseif !get(err, 'ended', false)
      Warn($'listd: {method}: {err.message}')
    endif
  })
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

export def Warn(text: string)
  echohl WarningMsg
  echomsg text
  echohl None
enddef
