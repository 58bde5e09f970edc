vim9script
# Text edits of whole lines, applied so that everything else in the buffer stays where it is. Lines
# are counted from 0 here, as in the protocol.

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

# The one edit that makes a text of another, sparing the first and last lines that they share.
export def Between(old: list<string>, new: list<string>): list<dict<any>>
  var [head, tail] = [0, 0]
  var shorter = min([len(old), len(new)])
  while head < shorter && old[head] ==# new[head]
    ++head
  endwhile
  while tail < shorter - head && old[-1 - tail] ==# new[-1 - tail]
    ++tail
  endwhile
  if head + tail == len(old) && len(old) == len(new)
    return []
  endif
  return [{first: head, last: len(old) - tail, lines: new->slice(head, len(new) - tail)}]
enddef

# Where a line goes: with the text around it, and within an edit as far as there are lines.
export def Carried(line: number, edits: list<dict<any>>): number
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

# Applies edits to the buffer of a text with `count` lines, bottom up; Gone(line) is called before a
# line goes. Returns the number of lines after.
export def Apply(buf: number, count: number, edits: list<dict<any>>, Gone: func): number
  var now = count
  for edit in edits->copy()->reverse()
    var [old, new] = [edit.last - edit.first, len(edit.lines)]
    var both = min([old, new])
    if now == 0 && new > 0
      # An empty buffer has one line; the empty text has none.
      setbufline(buf, 1, edit.lines)
    else
      if new > both
        appendbufline(buf, edit.first + both, edit.lines[both :])
      elseif old > both
        for line in range(edit.first + both, edit.last - 1)
          Gone(line)
        endfor
        deletebufline(buf, edit.first + both + 1, edit.last)
      endif
      for k in range(both)
        Rewrite(buf, edit.first + k + 1, edit.lines[k])
      endfor
    endif
    now += new - old
  endfor
  return now
enddef

# Gives a line another text; Vim would drop the text properties of a line that is set.
def Rewrite(buf: number, lnum: number, text: string)
  var old = getbufline(buf, lnum)[0]
  if old ==# text
    return
  endif
  var props = prop_list(lnum, {bufnr: buf})
  setbufline(buf, lnum, text)
  for prop in props
    if prop.start && prop.end && prop.col <= len(text) + 1
      var fits = min([prop.length, len(text) + 1 - prop.col])
      var how = {type: prop.type, id: prop.id, bufnr: buf, length: fits}
      prop_add(lnum, prop.col, how)
    endif
  endfor
enddef
