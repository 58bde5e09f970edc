vim9script
# Signs of the selected rows. Signs move with their lines; after a change only the lines that it
# brought are looked at. Lines are counted from 0.

import autoload 'listd/ask.vim'

const SLICE = 1000  # lines that are marked at a time

# Takes the signs of a line away.
export def Unplace(buf: number, line: number)
  for placed in sign_getplaced(buf, {group: 'listd', lnum: line + 1})[0].signs
    sign_unplace('listd', {buffer: buf, id: placed.id})
  endfor
enddef

# Marks the lines from first to last - 1, or takes their marks away.
def Mark(view: dict<any>, first: number, last: number, selected: bool)
  for line in range(first, last - 1)
    if !selected
      Unplace(view.buf, line)
    elseif empty(sign_getplaced(view.buf, {group: 'listd', lnum: line + 1})[0].signs)
      view.marked = true
      sign_place(0, 'listd', 'ListdSelected', view.buf, {lnum: line + 1})
    endif
  endfor
enddef

# Forgets marks: nothing is selected, or the text was deleted.
export def Unmark(view: dict<any>)
  view.turn += 1
  extend(view, {brought: [], whole: false, marked: false})
  if bufloaded(view.buf)
    sign_unplace('listd', {buffer: view.buf})
  endif
enddef

# Whether the ranges of a selection, ascending, hold a row. O(log ranges).
def Holds(selection: list<any>, path: list<number>): bool
  var [low, high] = [0, len(selection)]
  while low < high
    var middle = (low + high) / 2
    var at: list<number> = selection[middle].at
    if at[0] > path[0] || at[0] == path[0] && at[1] > path[1]
      high = middle
    else
      low = middle + 1
    endif
  endwhile
  if low == 0
    return false
  endif
  var range = selection[low - 1]
  return range.at[0] == path[0] && path[1] < range.at[1] + range.count
enddef

def Ends(ranges: list<any>): list<list<number>>
  var paths: list<list<number>> = []
  for range in ranges
    paths->add(range.at)->add([range.at[0], range.at[1] + range.count - 1])
  endfor
  return paths
enddef

# Marks the rows of the selection anew, in slices.
export def MarkAll(view: dict<any>)
  if empty(view.selection)
    Unmark(view)
    return
  endif
  view.turn += 1
  extend(view, {brought: [], whole: true, marked: true})
  var turn = view.turn
  var paths = Ends(view.selection)
  ask.Ask(view, 'locate', {list: view.list, paths: paths, text: true}, (found) => {
    if turn == view.turn
      var lines: list<number> = []
      for i in range(len(found.paths) / 2)
        var [first, last] = found.paths[2 * i : 2 * i + 1]
        if first != null && last != null
          lines += range(first.line + 1, last.line + last.lineCount)
        endif
      endfor
      sign_unplace('listd', {buffer: view.buf})
      Paint(view, lines, turn)
    endif
  }, (_) => {
    view.whole = false  # the rows have changed again, and the change marks them anew
  })
enddef

# Places signs in slices, from the last line up: Vim keeps them in a list by lines.
def Paint(view: dict<any>, lines: list<number>, turn: number)
  var part = lines[-SLICE :]
  part->reverse()
  sign_placelist(part->mapnew((_, lnum) =>
    ({group: 'listd', name: 'ListdSelected', buffer: view.buf, lnum: lnum})))
  if len(lines) <= SLICE
    view.whole = false
    return
  endif
  timer_start(1, (_) => {
    if turn == view.turn && !view.closed && !view.unloaded
      Paint(view, lines[: -SLICE - 1], turn)
    endif
  })
enddef

# The rows that one selection has and another has not, as ranges. O(ranges).
def Difference(these: list<any>, those: list<any>, op: string): list<dict<any>>
  var found: list<dict<any>> = []
  var from = 0
  for range in these
    var section: number = range.at[0]
    var row: number = range.at[1]
    var stop: number = row + range.count
    while from < len(those) && (those[from].at[0] < section
        || those[from].at[0] == section && those[from].at[1] + those[from].count <= row)
      ++from
    endwhile
    var k = from
    while k < len(those) && those[k].at[0] == section && those[k].at[1] < stop
      if those[k].at[1] > row
        found->add({op: op, at: [section, row], count: those[k].at[1] - row})
      endif
      row = max([row, those[k].at[1] + those[k].count])
      ++k
    endwhile
    if row < stop
      found->add({op: op, at: [section, row], count: stop - row})
    endif
  endfor
  return found
enddef

def RowsOf(ranges: list<any>): number
  var rows = 0
  for range in ranges
    rows += range.count
  endfor
  return rows
enddef

# Marks what a change has done to the selection that was before.
export def MarkChange(view: dict<any>, before: list<any>, change: any)
  if view.whole
    MarkAll(view)  # what is still to be marked has other lines now
    return
  elseif change.baseRevision == change.revision
    MarkOps(view, Difference(view.selection, before, 'selectItems')
      + Difference(before, view.selection, 'deselectItems'))
    return
  endif
  var gone = 0
  for item in get(change, 'deselected', [])
    if !item.gone
      MarkAll(view)
      return
    endif
    ++gone
  endfor
  if RowsOf(before) - gone != RowsOf(view.selection)
    MarkAll(view)
  else
    MarkBrought(view)
  endif
enddef

# Marks the rows of the lines that changes have brought, or takes their marks away.
def MarkBrought(view: dict<any>)
  var lines: list<number> = view.brought
  if empty(view.selection)
    if view.marked
      Unmark(view)
    endif
    view.brought = []
    return
  elseif empty(lines)
    return
  elseif len(lines) > 1000 + 2 * len(view.selection)
    MarkAll(view)
    return
  endif
  view.turn += 1
  var [turn, text_revision] = [view.turn, view.text_revision]
  var Again = (_) => {
    if turn == view.turn
      MarkAll(view)
    endif
  }
  ask.Ask(view, 'locate', {list: view.list, lines: lines}, (rows) => {
    if turn != view.turn || text_revision != view.text_revision
      Again(0)
      return
    endif
    var paths: list<list<number>> = []
    for i in range(len(lines))
      var place = rows.lines[i]
      if place != null && has_key(place, 'at')
        paths->add(place.at)
      else
        Mark(view, lines[i], lines[i] + 1, false)  # a header, which may have replaced a row
      endif
    endfor
    if empty(paths)
      view.brought = []
      return
    endif
    # A row may have more lines than those that have changed.
    ask.Ask(view, 'locate', {list: view.list, paths: paths, text: true}, (found) => {
      if turn != view.turn || text_revision != view.text_revision
        Again(0)
        return
      endif
      view.brought = []
      for i in range(len(paths))
        var place = found.paths[i]
        if place != null
          Mark(view, place.line, place.line + place.lineCount, Holds(view.selection, paths[i]))
        endif
      endfor
    }, Again)
  }, Again)
enddef

# Marks what the ops of a selection select, and takes away the marks of what they deselect.
export def MarkOps(view: dict<any>, ops: list<any>)
  var rows = RowsOf(ops)
  if rows == 0
    return
  elseif rows > SLICE || view.whole || !empty(view.brought)
    MarkAll(view)
    return
  endif
  var [turn, text_revision] = [view.turn, view.text_revision]
  var paths = Ends(ops)
  ask.Ask(view, 'locate', {list: view.list, paths: paths, text: true}, (found) => {
    if text_revision != view.text_revision || turn != view.turn
      MarkAll(view)
      return
    endif
    for i in range(len(ops))
      var [first, last] = found.paths[2 * i : 2 * i + 1]
      if first != null && last != null
        Mark(view, first.line, last.line + last.lineCount, ops[i].op == 'selectItems')
      endif
    endfor
  }, (_) => MarkAll(view))
enddef
