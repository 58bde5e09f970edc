vim9script
# Signs of the selected rows. Signs move with their lines; after a change only the lines that it
# brought are looked at. Lines are counted from 0.

import autoload 'listd/ask.vim'
import autoload 'listd/selection.vim' as selections

const SLICE = 250  # lines that are marked at a time
const MOST_STEPS = 200'000  # signs that are passed at a time
const BYTES = 2500  # bytes of ranges that are looked up at a time

# Whether marking all rows is faster than searching so many lines for signs: Vim goes through its list of
# signs for each line.
export def Many(view: dict<any>, lines: number): bool
  return lines > 1 && lines * selections.Rows(view.selection) > MOST_STEPS
enddef

# Takes the signs of the lines from first to last - 1 away before these are deleted, unless all are marked anew.
export def Gone(view: dict<any>, first: number, last: number)
  if view.marked && !view.whole
    for line in range(first, last - 1)
      Unplace(view.buf, line)
    endfor
  endif
enddef

# Takes the signs of a line away.
def Unplace(buf: number, line: number)
  for placed in sign_getplaced(buf, {group: 'listd', lnum: line + 1})[0].signs
    sign_unplace('listd', {buffer: buf, id: placed.id})
  endfor
enddef

# The id of a new sign. Vim would look through all signs to choose one.
def NextId(view: dict<any>): number
  ++view.last_sign
  return view.last_sign
enddef

# Marks the lines from first to last - 1, or takes their marks away.
def Mark(view: dict<any>, first: number, last: number, selected: bool)
  for line in range(first, min([last, view.count]) - 1)
    if !selected
      Unplace(view.buf, line)
    elseif empty(sign_getplaced(view.buf, {group: 'listd', lnum: line + 1})[0].signs)
      view.marked = true
      sign_place(NextId(view), 'listd', 'ListdSelected', view.buf, {lnum: line + 1})
    endif
  endfor
enddef

# Takes all signs away, until the change that is being shown is marked.
export def Clear(view: dict<any>)
  sign_unplace('listd', {buffer: view.buf})
  view.whole = true
enddef

# Forgets marks: nothing is selected, or the text was deleted.
export def Unmark(view: dict<any>)
  view.turn += 1
  extend(view, {brought: [], whole: false, marked: false})
  if bufloaded(view.buf)
    sign_unplace('listd', {buffer: view.buf})
  endif
enddef

def Ends(ranges: any): list<list<number>>
  var paths: list<list<number>> = []
  for range in ranges
    paths->add(range.at)->add([range.at[0], range.at[1] + range.count - 1])
  endfor
  return paths
enddef

# Marks the rows of the selection anew, in slices.
export def MarkAll(view: dict<any>)
  if view.selection == selections.NONE
    Unmark(view)
    return
  endif
  view.turn += 1
  extend(view, {brought: [], whole: true, marked: true})
  MarkUpTo(view, len(view.selection) - 1, view.selection, view.turn)
enddef

# Marks the rows of the ranges before a byte, from the last one up: Vim keeps signs in a list by lines.
def MarkUpTo(view: dict<any>, stop: number, selection: string, turn: number)
  var [ranges, first] = selections.Before(selection, stop, BYTES)
  var paths = Ends(ranges)
  ask.Ask(view, 'locate', {list: view.list, paths: paths, text: true}, (found) => {
    if turn != view.turn
      return
    endif
    var lines: list<list<number>> = []
    for i in range(len(found.paths) / 2)
      var [head, tail] = found.paths[2 * i : 2 * i + 1]
      if head != null && tail != null
        # More lines may still be read.
        lines->add([head.line, min([tail.line + tail.lineCount, view.count])])
      endif
    endfor
    if stop == len(selection) - 1
      sign_unplace('listd', {buffer: view.buf})
    endif
    Paint(view, lines, turn, () => {
      if first > 1
        MarkUpTo(view, first, selection, turn)
      else
        view.whole = false
      endif
    })
  }, (_) => {
    view.whole = false  # the rows have changed again, and the change marks them anew
  })
enddef

# Places signs on ranges of lines, from the last line up, in slices; then calls Done().
def Paint(view: dict<any>, lines: list<list<number>>, turn: number, Done: func)
  var part: list<dict<any>> = []
  while !empty(lines) && len(part) < SLICE
    var [first, last] = lines[-1]
    if first >= last
      lines->remove(-1)
      continue
    endif
    part->add({id: NextId(view), group: 'listd', name: 'ListdSelected', buffer: view.buf, lnum: last})
    lines[-1][1] = last - 1
  endwhile
  sign_placelist(part)
  if empty(lines)
    Done()
    return
  endif
  timer_start(1, (_) => {
    if turn == view.turn && !view.closed && !view.unloaded
      Paint(view, lines, turn, Done)
    endif
  })
enddef

def RowsOf(ranges: any): number
  var rows = 0
  for range in ranges
    rows += range.count
  endfor
  return rows
enddef

# Marks what a change has done to the selection that was before.
export def MarkChange(view: dict<any>, before: string, change: any)
  if view.whole
    MarkAll(view)  # what is still to be marked has other lines now
    return
  elseif change.baseRevision == change.revision
    var [selected, deselected] = selections.Compare(view.selection, before)
    MarkOps(view, selected->map((_, range) => extend(range, {op: 'selectItems'}))
      + deselected->map((_, range) => extend(range, {op: 'deselectItems'})))
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
  if selections.Rows(before) - gone != selections.Rows(view.selection)
    MarkAll(view)
  else
    MarkBrought(view)
  endif
enddef

# Marks the rows of the lines that changes have brought, or takes their marks away.
def MarkBrought(view: dict<any>)
  var lines: list<number> = view.brought
  var selection: string = view.selection
  if selection == selections.NONE
    if view.marked
      Unmark(view)
    endif
    view.brought = []
    return
  elseif empty(lines)
    return
  elseif len(lines) > 1000 + 2 * selections.Rows(selection) || Many(view, len(lines))
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
          Mark(view, place.line, place.line + place.lineCount, selections.Holds(selection, paths[i]))
        endif
      endfor
    }, Again)
  }, Again)
enddef

# Marks what the ops of a selection select, and takes away the marks of what they deselect.
export def MarkOps(view: dict<any>, ops: any)
  var rows = RowsOf(ops)
  if rows == 0
    return
  elseif rows > SLICE || view.whole || !empty(view.brought) || Many(view, rows)
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

defcompile
