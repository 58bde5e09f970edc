vim9script
# What a list's buffer shows: the text by edits, the cursor both ways, signs of selected rows. A view
# is a dictionary, see Open() in view.vim.

import autoload 'listd/client.vim' as wire
import autoload 'listd/edits.vim'

# Takes in what the daemon tells of the list.
export def Told(view: dict<any>, method: string, params: dict<any>)
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
export def Reread(view: dict<any>)
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

# Finds the row of the line under the cursor: Done(row), an item reference. A header is no row:
# nothing is done but Otherwise().
export def Row(view: dict<any>, Done: func, Otherwise: func)
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
export def Rows(view: dict<any>, lines: list<number>, Done: func, Otherwise: func)
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
export def Ask(view: dict<any>, method: string, params: dict<any>, Done: func, Otherwise: any = null)
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

export def Warn(text: string)
  echohl WarningMsg
  echomsg text
  echohl None
enddef
