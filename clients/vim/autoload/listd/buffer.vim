vim9script
# What a list's buffer shows: the text by edits, and the cursor both ways. A view is a dictionary, see
# Open() in view.vim.

import autoload 'listd/ask.vim'
import autoload 'listd/client.vim' as wire
import autoload 'listd/edits.vim'
import autoload 'listd/marks.vim'
import autoload 'listd/rows.vim'
import autoload 'listd/selection.vim'
import autoload 'listd/text.vim'

# Takes in a change of the list. `read` are its edits of the text.
def Change(view: dict<any>, change: any, read: any)
  var before: string = view.selection
  extend(view, {revision: change.revision, selection: selection.Of(change)})
  if !view.unloaded && text.Take(view, change, read)
    marks.MarkChange(view, before, change)
  endif
  view.cursor = change.cursor
  Flush(view)
  if has_key(view.options, 'Changed')
    call(view.options.Changed, [view, selection.Full(change)])
  endif
enddef

# Handles a notification about the list.
export def Notified(view: dict<any>, method: string, params: any)
  if method == 'didChange'
    text.ReadEdits(view, params, (read) => Change(view, params, read))
  elseif method == 'didSelect'
    view.selection = selection.Of(params)
    if !view.unloaded
      marks.MarkOps(view, get(params, 'ops', []))
    endif
    if params.cursor != null && params.cursor != view.cursor
      extend(view, {cursor: params.cursor, cursor_line: -1})
      Go(view, params)
    endif
  elseif method == 'didExpand'
    if has_key(view.options, 'Expanded')
      call(view.options.Expanded, [view, params.items])
    endif
  elseif method == 'didRemove'
    extend(view, {revision: 0, cursor: null, selection: selection.NONE})
    if !view.unloaded
      Edit(view, [{first: 0, last: view.count, lines: []}], null)
      view.text_revision = 0
      text.Forget(view)
      marks.Unmark(view)
    endif
  endif
enddef

# Calls what waits for a change to be shown.
export def Flush(view: dict<any>)
  while !empty(view.waiting)
    var shown = view.text_revision >= 0 && !view.rereading
    if !(view.unloaded || shown) || view.revision < view.waiting[0].revision
      return
    endif
    var first = view.waiting->remove(0)
    call(first.Done, [{}, selection.Full(first.change)])
  endwhile
enddef

# Gives up what is under way: the daemon has ended, or the view.
export def Forget(view: dict<any>, why: string)
  var waiting = view.waiting
  extend(view, {cursor_line: -1, syncing: false, turns: [], acts: [], astray: {}, waiting: []})
  text.Stop(view)
  for one in waiting
    call(one.Done, [{message: why, ended: true}, null])
  endfor
enddef

# The line of the daemon's cursor, -1 if that is not known: the first line until its row is read.
def Followed(view: dict<any>): number
  return view.cursor_line < 0 ? -1 : view.cursor_line < view.count ? view.cursor_line : 0
enddef

# Puts the cursor of a window, which was at a place with the window's first line, on a line.
def Place(win: number, cursor: list<number>, top: number, line: number)
  # A window that shows the top still does; in others the row keeps its line of the screen.
  var topline = top > 1 ? max([1, top + line + 1 - cursor[1]]) : 1
  var state = {lnum: line + 1, col: cursor[2] - 1, coladd: cursor[3], curswant: cursor[4] - 1,
    topline: topline}
  win_execute(win, $'call winrestview({string(state)})')
enddef

# Before a change whose moves are not read: asks where it moves the rows that windows have their cursors on. Until
# the answer, these are astray.
export def FindRows(view: dict<any>, change: any)
  var asked: list<list<any>> = []
  var refs: list<dict<number>> = []
  for win in win_findbuf(view.buf)
    var line = getcurpos(win)[1] - 1
    var known = change.cursorLine != null && line == Followed(view)
    if !known && get(view.astray, win, {line: -1}).line != line
      view.astray[win] = {line: line}
      asked->add([win, view.astray[win]])
      refs->add({line: line, textRevision: change.baseTextRevision})
    endif
  endfor
  if empty(refs)
    return
  endif
  ask.Ask(view, 'locate', {list: view.list, items: refs, text: true}, (found) => {
    for [i, one] in items(asked)
      var [win, astray] = one
      if get(view.astray, win, {}) is astray
        remove(view.astray, win)
        if found.items[i] != null && found.revision == view.revision
          Put(view, win, astray.line, found.items[i].line)
        endif
      endif
    endfor
  }, (_) => {
    view.astray = {}
  })
enddef

# Puts the cursor of a window on a line, unless it was moved from the line since.
def Put(view: dict<any>, win: number, from: number, line: number)
  var shown = win_findbuf(view.buf)->index(win) >= 0
  if shown && !view.rereading && line < view.count && getcurpos(win)[1] - 1 == from
    Place(win, getcurpos(win), getwininfo(win)[0].topline, line)
    if win == win_getid()
      Sync(view)
    endif
  endif
enddef

# Edits the buffer; each window's cursor follows its row. Moved lines are deleted by the edits and inserted
# elsewhere. Find(line) returns the new line of a line, if the edits do not know. Returns the lines that
# are new.
export def Edit(view: dict<any>, changes: any, cursor_line: any, moved: any = [],
    Find: func = (_) => -1): list<number>
  var followed = Followed(view)
  var windows = win_findbuf(view.buf)->mapnew((_, win) =>
    [win, getcurpos(win), getwininfo(win)[0].topline])
  var visual = bufnr() == view.buf && mode() =~ "^[vV\<C-v>]" ? mode()[0] : ''
  var anchor = getpos('v')
  var empty = view.count == 0
  var scattered = edits.Scattered(moved)
  var moves = edits.Moves(scattered || empty(windows) ? [] : moved)
  if view.marked && (scattered
      || marks.Many(view, reduce(changes, (lines, edit) => lines + edit.last - edit.first, 0)))
    marks.Clear(view)
  endif
  setbufvar(view.buf, '&modifiable', true)
  view.count = scattered ? edits.Replace(view.buf, view.count, changes)
    : edits.Apply(view.buf, view.count, changes, (first, last) => marks.Gone(view, first, last), moves)
  setbufvar(view.buf, '&modifiable', false)
  view.tick = getbufvar(view.buf, 'changedtick')
  var Kept = (old: number): number => {
    var line = Find(old)
    if empty || cursor_line != null && old == followed
      line = cursor_line != null && cursor_line < view.count ? cursor_line : 0
    elseif line < 0
      line = edits.Carried(old, changes, moves)
    endif
    return max([0, min([line, view.count - 1])])
  }
  for [win, cursor, top] in windows
    var old = cursor[1] - 1
    var line = Kept(old)
    if has_key(view.astray, win) && view.astray[win].line == old
      view.astray[win].line = line
    endif
    Place(win, cursor, top, line)
  endfor
  if !empty(visual) && Kept(anchor[1] - 1) + 1 != anchor[1]
    # The other end of the Visual area stays on its row, too.
    var cursor = getcurpos()
    execute "noautocmd normal! \<Esc>"
    cursor(Kept(anchor[1] - 1) + 1, anchor[2])
    execute 'noautocmd normal! ' .. visual
    setpos('.', cursor)
  endif
  view.cursor_line = cursor_line == null ? -1 : cursor_line
  view.brought->map((_, line) => edits.Carried(line, changes, moves))
  if scattered
    view.whole = true  # too many lines are new
    return []
  endif
  return view.selection == selection.NONE ? [] : edits.Brought(changes, moves)
enddef

# Goes to the daemon's row with the cursor, as somebody else has done in the list.
def Go(view: dict<any>, state: any)
  # A notification without text edits has no line. A large snapshot that is still being sent causes one.
  var line: any = get(state, 'cursorLine', null)
  if line != null && get(state, 'textRevision', -2) == view.text_revision && !view.unloaded
    view.cursor_line = line
    if bufwinid(view.buf) >= 0
      win_execute(bufwinid(view.buf), $'call cursor({view.cursor_line + 1}, 1)')
    endif
  endif
enddef

# Sends the row of the cursor to the daemon, one request at a time.
export def Sync(view: dict<any>)
  if empty(view) || view.unloaded || !wire.Running(view.client) || view.count == 0 || view.text_revision < 0
      || Followed(view) == line('.') - 1
    return
  elseif view.syncing
    view.again = true
    return
  endif
  var [asked, text_revision] = [line('.') - 1, view.text_revision]
  extend(view, {syncing: true, cursor_line: -1})
  var Finished = (_) => {
    view.syncing = false
    if view.again && bufnr() == view.buf
      view.again = false
      Sync(view)
    endif
  }
  var params = {list: view.list, cursor: rows.Ref(view, asked), format: 'textEdits'}
  ask.Ask(view, 'select', params, (result) => {
    extend(view, {cursor: result.cursor, cursor_line: -1})
    if result.cursorLine != null && text_revision == view.text_revision && text_revision == result.textRevision
      view.cursor_line = result.cursorLine
    endif
    view.again = view.again || bufnr() == view.buf && line('.') - 1 != asked
    Finished(0)
  }, Finished)
enddef

defcompile
