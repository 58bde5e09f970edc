vim9script
# Text edits of whole lines, applied without touching the rest of the buffer. Lines are counted from 0
# here, as in the protocol.

import autoload 'listd/slices.vim'

const RUN = 100  # lines that are looked at at once
const CHUNK = 20'000  # bytes of a text that are read at once
const NEW_TEXT = '"newText":"'
const NEXT = '"},{"range":'  # between two edits; in a string, the quotes would be escaped
const MOST_MOVES = 100  # of one change; with more, lines are replaced instead

# The lines of a text in which every line ends with a line break.
export def Lines(text: string): list<string>
  return empty(text) ? [] : split(text, "\n", true)[: -2]
enddef

# The protocol's text edits as {first, last, lines}: lines first to last - 1 give way to `lines`.
export def Read(edits: list<any>): list<dict<any>>
  return edits->mapnew((_, edit) => ({
    first: edit.range.start.line,
    last: edit.range.end.line,
    lines: Lines(edit.newText),
  }))
enddef

# Reads the JSON text of text edits in slices: Done(edits). It is decoded in parts, too: whole edits, or lines of
# a long one.
export def ReadInSlices(text: string, Done: func)
  # At each call that it is given to, Vim would look through all that a list<any> has.
  var read: list<dict<any>> = []
  var from = 1
  var end = -1  # of the text of the long edit that is being read
  slices.Run((_) => {
    if from >= len(text)
      return false
    elseif end < 0
      var stop = stridx(text, NEXT, from + CHUNK)
      stop = stop < 0 ? len(text) - 3 : stop
      var before = stop - from <= 2 * CHUNK ? stop : strridx(text, NEXT, from + CHUNK)
      if before > from
        extend(read, Read(json_decode($'[{strpart(text, from, before + 2 - from)}]')))
        from = before + 3
        return true
      endif
      var at = stridx(text, NEW_TEXT, from)
      read->add(Read([json_decode(strpart(text, from, at - from) .. NEW_TEXT .. '"}')])[0])
      from = at + len(NEW_TEXT)
      end = stop
    endif
    var stop = LineBreak(text, from + CHUNK, end)
    extend(read[-1].lines, Lines(json_decode($'"{strpart(text, from, stop - from)}"')))
    from = stop < end ? stop : end + 3
    end = stop < end ? end : -1
    return true
  }, () => Done(read), 1)
enddef

# The byte after the next line break of a JSON string from a byte on, or `end`.
def LineBreak(text: string, start: number, end: number): number
  var at = start
  while at < end
    at = stridx(text, '\n', at)
    var escapes = 0
    while strpart(text, at - 1 - escapes, 1) == '\'
      ++escapes
    endwhile
    at += 2
    if escapes % 2 == 0
      return min([at, end])
    endif
  endwhile
  return end
enddef

# The one edit that makes a text of another, sparing the first and last lines that they share.
export def Between(old: list<string>, new: list<string>): list<dict<any>>
  var [head, tail] = [0, 0]
  var shorter = min([len(old), len(new)])
  while head + RUN < shorter && old->slice(head, head + RUN) == new->slice(head, head + RUN)
    head += RUN
  endwhile
  while head < shorter && old[head] ==# new[head]
    ++head
  endwhile
  while tail + RUN < shorter - head
      && old->slice(len(old) - tail - RUN, len(old) - tail) == new->slice(len(new) - tail - RUN, len(new) - tail)
    tail += RUN
  endwhile
  while tail < shorter - head && old[-1 - tail] ==# new[-1 - tail]
    ++tail
  endwhile
  if head + tail == len(old) && len(old) == len(new)
    return []
  endif
  return [{first: head, last: len(old) - tail, lines: new->slice(head, len(new) - tail)}]
enddef

# The edits of the first `count` lines of a text; `partial` is false if these are all. If the last edit
# brings more than `most` lines, and no line follows, only the first of them are kept. Returns the edits
# and whether lines were left out.
export def Clip(edits: list<dict<any>>, count: number, partial: bool, most: number): list<any>
  if !partial && (empty(edits) || edits[-1].last < count || len(edits[-1].lines) <= most)
    return [edits, false]
  endif
  var kept: list<dict<any>> = []
  for edit in edits
    if partial && edit.first >= count
      break
    endif
    kept->add({first: edit.first, last: min([edit.last, count]), lines: edit.lines})
  endfor
  if empty(kept) || kept[-1].last < count || len(kept[-1].lines) <= most
    return [kept, false]
  endif
  kept[-1].lines = kept[-1].lines->slice(0, most)
  return [kept, true]
enddef

# Applies edits to a list of lines.
export def Splice(lines: list<string>, edits: list<dict<any>>)
  for edit in edits->copy()->reverse()
    if edit.last > edit.first
      lines->remove(edit.first, edit.last - 1)
    endif
    lines->extend(edit.lines, edit.first)
  endfor
enddef

# The moves of a change, {from, to, count} in ascending order of `to`: lines of the old text that the
# edits delete there and insert here. None if they are scattered.
export def Moves(moves: list<any>): list<dict<any>>
  return deepcopy(moves)->sort((a, b) => a.to - b.to)
enddef

# Whether a change has so many moves that most lines of its edits show other rows than before. `moves` is JSON
# text if they are very many.
export def Scattered(moves: any): bool
  return type(moves) == v:t_string || len(moves) > MOST_MOVES
enddef

# Replaces the lines of edits in a text with `count` lines.
# Returns the number of lines after.
export def Replace(buf: number, count: number, edits: any): number
  var now = count
  for edit in edits->copy()->reverse()
    var old: number = edit.last - edit.first
    var new: number = len(edit.lines)
    var both = min([old, new])
    if old > both
      deletebufline(buf, edit.first + both + 1, edit.last)
    elseif new > both
      appendbufline(buf, edit.first + both, edit.lines[both :])
    endif
    if both > 0
      setbufline(buf, edit.first + 1, both == new ? edit.lines : edit.lines[: both - 1])
    endif
    now += new - old
  endfor
  return now
enddef

# The new line of an old one: it follows its move, else the text around it. A deleted line becomes the
# one that replaces it.
export def Carried(line: number, edits: list<dict<any>>, moves: list<dict<any>> = []): number
  for move in moves
    if line >= move.from && line < move.from + move.count
      return move.to + line - move.from
    endif
  endfor
  var shift = 0
  for edit in edits
    if line < edit.first
      break
    elseif line < edit.last
      return edit.first + shift + max([0, min([line - edit.first, len(edit.lines) - 1])])
    endif
    shift += len(edit.lines) - (edit.last - edit.first)
  endfor
  return line + shift
enddef

# The numbers from first to last - 1 that are in none of the ranges, which are ascending: [from, to] each, without
# the last.
def Without(first: number, last: number, ranges: list<list<number>>): list<number>
  var rest: list<number> = []
  var from = first
  for [start, stop] in ranges
    if start >= last
      break
    elseif start > from
      rest += range(from, start - 1)
    endif
    from = max([from, stop])
  endfor
  return from < last ? rest + range(from, last - 1) : rest
enddef

# The ranges of the new lines of moves, or of the old ones.
def Ranges(moves: list<dict<any>>, key = 'to'): list<list<number>>
  return moves->mapnew((_, move) => [move[key], move[key] + move.count])->sort((a, b) => a[0] - b[0])
enddef

# The new lines that edits bring, ascending, without those that moved there.
export def Brought(edits: any, moves: list<dict<any>>): list<number>
  var moved = Ranges(moves)
  var lines: list<number> = []
  var shift = 0
  for edit in edits
    var first = edit.first + shift
    lines += Without(first, first + len(edit.lines), moved)
    shift += len(edit.lines) - (edit.last - edit.first)
  endfor
  return lines
enddef

# Applies edits to the buffer of a text with `count` lines, bottom up, then moves; Gone(first, last)
# is called before the lines first to last - 1 are deleted. Returns the number of lines after.
export def Apply(buf: number, count: number, edits: any, Gone: func, moves: list<dict<any>> = []): number
  var leaving = Ranges(moves, 'from')
  var arriving = Ranges(moves)
  for move in moves
    move.at = move.from  # the first line once the other edits are applied
  endfor
  var now = count
  var shift = 0
  for edit in edits
    shift += len(edit.lines) - (edit.last - edit.first)
  endfor
  var moved: list<list<any>> = []  # new lines, and the texts from there on of lines that are moved
  for edit in edits->copy()->reverse()
    shift -= len(edit.lines) - (edit.last - edit.first)
    var start: number = edit.first + shift
    var stop: number = start + len(edit.lines)
    var old = Without(edit.first, edit.last, leaving)
    var stay = Without(start, stop, arriving)
    var new: list<string> = edit.lines
    if len(stay) < len(new)
      new = stay->mapnew((_, line): string => edit.lines[line - start])
      for [first, last] in arriving
        var from = max([first, start])
        if from < min([last, stop])
          moved->add([from, edit.lines->slice(from - start, last - start)])
        endif
      endfor
    endif
    var both = min([len(old), len(new)])
    var k = len(old) - 1
    while k >= both  # in runs of lines that follow each other
      var last = old[k]
      while k > both && old[k - 1] == old[k] - 1
        --k
      endwhile
      Gone(old[k], last + 1)
      deletebufline(buf, old[k] + 1, last + 1)
      now -= last + 1 - old[k]
      Shift(moves, last, old[k] - last - 1)
      --k
    endwhile
    if len(new) > both
      var at = both > 0 ? old[both - 1] + 1 : edit.first
      # An empty buffer has one line; the empty text has none.
      if now == 0
        setbufline(buf, 1, new)
      else
        appendbufline(buf, at, new[both :])
      endif
      now += len(new) - both
      Shift(moves, at - 1, len(new) - both)
    endif
    for pair in range(both)
      Rewrite(buf, old[pair] + 1, new[pair])
    endfor
  endfor
  if !empty(moves)
    Move(buf, moves)
  endif
  for [line, texts] in moved
    var before = getbufline(buf, line + 1, line + len(texts))
    if before != texts
      for i in range(len(texts))
        if before[i] !=# texts[i]
          Rewrite(buf, line + 1 + i, texts[i])
        endif
      endfor
    endif
  endfor
  return now
enddef

def Shift(moves: list<dict<any>>, line: number, by: number)
  for move in moves
    if move.from > line
      move.at += by
    endif
  endfor
enddef

# Moves blocks of lines by :move, which carries marks and folds. Of signs, Vim would show only those
# above the first one that has moved, and text properties would be lost: these are set again. All other
# lines are in order already.
def Move(buf: number, moves: list<dict<any>>)
  var window = win_findbuf(buf)[0]
  var folds = getwinvar(window, '&foldenable')
  win_execute(window, 'setlocal nofoldenable')  # or the whole of a closed fold is moved
  for index in range(len(moves))  # ascending by `to`: what is above is final
    var move = moves[index]
    var waiting = moves[index + 1 :]->sort((a, b) => a.at - b.at)
    var above = move.to
    for other in waiting
      if (other.at > move.at ? other.at - move.count : other.at) < above
        above += other.count
      endif
    endfor
    var address = above <= move.at ? above : above + move.count
    if address == move.at || address == move.at + move.count
      continue
    endif
    var props: dict<list<dict<any>>> = {}  # by the distance from the first line
    for prop in prop_list(move.at + 1, {bufnr: buf, end_lnum: move.at + move.count})
      var distance = prop.lnum - move.at - 1
      props[distance] = get(props, distance, [])->add(prop)
    endfor
    var signs = SignsOf(buf, move.at + 1, move.at + move.count)
    for sign in signs
      sign_unplace(sign.group, {buffer: buf, id: sign.id})
    endfor
    var lines = $'{move.at + 1},{move.at + move.count}'
    win_execute(window, $'silent noautocmd keepjumps :{lines}move {address}')
    for [distance, some] in items(props)
      Restore(buf, above + 1 + str2nr(distance), some)
    endfor
    for sign in signs
      var place = {lnum: sign.lnum + above - move.at, priority: sign.priority}
      sign_place(sign.id, sign.group, sign.name, buf, place)
    endfor
    for other in waiting
      var at = other.at > move.at ? other.at - move.count : other.at
      other.at = at >= above ? at + move.count : at
    endfor
  endfor
  if folds
    win_execute(window, 'setlocal foldenable')
  endif
enddef

# The signs of lines. To find those of one line, Vim reads its whole list of signs; to return all of them takes
# long if there are many.
def SignsOf(buf: number, first: number, last: number): list<dict<any>>
  if last - first >= RUN
    return sign_getplaced(buf, {group: '*'})[0].signs->filter((_, sign) => sign.lnum >= first && sign.lnum <= last)
  endif
  var signs: list<dict<any>> = []
  for lnum in range(first, last)
    signs += sign_getplaced(buf, {group: '*', lnum: lnum})[0].signs
  endfor
  return signs
enddef

# Gives a line another text; Vim would drop the text properties of a line that is set.
def Rewrite(buf: number, lnum: number, text: string)
  var old = getbufline(buf, lnum)[0]
  if old ==# text
    return
  endif
  var props = prop_list(lnum, {bufnr: buf})
  setbufline(buf, lnum, text)
  Restore(buf, lnum, props)
enddef

# Gives a line the text properties that it had, as far as it has the text.
def Restore(buf: number, lnum: number, props: list<dict<any>>)
  if empty(props)
    return
  endif
  prop_clear(lnum, lnum, {bufnr: buf})
  var length = len(getbufline(buf, lnum)[0])
  for prop in props
    if prop.start && prop.end && prop.col <= length + 1
      var fits = min([prop.length, length + 1 - prop.col])
      prop_add(lnum, prop.col, {type: prop.type, id: prop.id, bufnr: buf, length: fits})
    endif
  endfor
enddef

defcompile
