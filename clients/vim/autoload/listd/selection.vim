vim9script
# The selected rows of a list, as ranges. They are kept as the JSON text in which the daemon has sent them,
# '[{"at":[0,1],"count":1},…]': every change repeats all of them, and few are read.

const LARGE = 4000  # bytes of ranges that are not decoded with their message
const MANY = 6000  # bytes of moves that are not decoded, more than edits.vim makes use of
const LONG = 50'000  # bytes of text edits that are decoded in slices
const CHUNK = 1000  # bytes that are compared at a time
const WIDEST = 80  # bytes of a range
const FIRST = '{"at":['
const RANGE = '^{"at":\[\(\d\+\),\(\d\+\)\],"count":\(\d\+\)}'

# Members that may be large. In a string, the quotes would be escaped.
const MEMBERS = [
  ['textEdits', '[{"range":{', '"}],"moves":', LONG],
  ['moves', '[{"from":', '}]', MANY],
  ['selection', '[' .. FIRST, '}]', LARGE],
]

export const NONE = '[]'

# The first byte of a large member of a message, an array of objects, and the byte after it. Both are -1 if there
# is none. The array ends with the first `end`.
def Find(text: string, name: string, begin: string, end: string, large: number): list<number>
  var key = $'"{name}":'
  var at = stridx(text, key .. begin)
  while at >= 0
    var last = stridx(text, end, at)
    if last < 0
      break
    elseif last + len(end) - at >= large
      return [at + len(key), stridx(text, ']', last) + 1]
    endif
    at = stridx(text, key .. begin, last)
  endwhile
  return [-1, -1]
enddef

# Decodes a message. If its params or result have a large `selection`, many `moves` or long `textEdits`, that is
# the JSON text.
export def Decode(text: string): any
  var raw: dict<string> = {}
  var rest = text
  for [name, begin, end, large] in MEMBERS
    var [first, last] = Find(rest, name, begin, end, large)
    if first >= 0
      raw[name] = strpart(rest, first, last - first)
      rest = strpart(rest, 0, first) .. '0' .. strpart(rest, last)
    endif
  endfor
  var message: any = json_decode(rest)
  if empty(raw)
    return message
  endif
  var state: any = type(message) == v:t_dict ? get(message, 'params', get(message, 'result', null)) : null
  for name in keys(raw)
    if type(state) != v:t_dict || !has_key(state, name) || type(state[name]) != v:t_number
      return json_decode(text)  # an item has a member of that name
    endif
  endfor
  extend(state, raw)
  return message
enddef

# A state or change with the ranges, moves and edits themselves.
export def Full(state: any): any
  for [name; _] in MEMBERS
    if type(state) == v:t_dict && type(get(state, name)) == v:t_string
      state[name] = json_decode(state[name])
    endif
  endfor
  return state
enddef

# The selection of a state or change.
export def Of(state: any): string
  if type(state.selection) == v:t_string
    return state.selection
  endif
  var ranges: list<string> = []
  for range in state.selection
    ranges->add($'{FIRST}{range.at[0]},{range.at[1]}],"count":{range.count}}}')
  endfor
  return $'[{join(ranges, ',')}]'
enddef

# The number of rows.
export def Rows(text: string): number
  var [rows, counted, ranges] = [0, 0, count(text, '"count":')]
  for digit in range(1, 9)
    if counted < ranges
      var found = count(text, $'"count":{digit}}}')
      rows += digit * found
      counted += found
    endif
  endfor
  var at = 0
  while counted < ranges
    var [found, _, stop] = matchstrpos(text, '"count":\zs\d\d\+', at)
    rows += str2nr(found)
    at = stop
    ++counted
  endwhile
  return rows
enddef

# Whether a row is selected. O(log ranges).
export def Holds(text: string, path: list<number>): bool
  var [low, high] = [0, len(text) - 1]
  var before: list<number> = []
  while low <= high
    var middle = (low + high) / 2
    var start = stridx(text, FIRST, middle)
    var found = start < 0 ? [] : matchlist(strpart(text, start, WIDEST), RANGE)[1 : 3]
      ->mapnew((_, digits) => str2nr(digits))
    if empty(found) || found[0] > path[0] || found[0] == path[0] && found[1] > path[1]
      high = middle - 1
    else
      low = start + 1
      before = found
    endif
  endwhile
  return !empty(before) && before[0] == path[0] && path[1] < before[1] + before[2]
enddef

# Returns the ranges in at most `bytes` bytes before an offset, and the offset of the first of them. The
# offset of the first range of all is 1.
export def Before(text: string, stop: number, bytes: number): list<any>
  var start = stridx(text, FIRST, max([0, stop - bytes]))
  return [json_decode($'[{strpart(text, start, stop - start)->trim(',', 2)}]'), start]
enddef

# The rows that some ranges have and others have not, as ranges. O(ranges).
def Difference(these: list<any>, those: list<any>): list<dict<any>>
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
        found->add({at: [section, row], count: those[k].at[1] - row})
      endif
      row = max([row, those[k].at[1] + those[k].count])
      ++k
    endwhile
    if row < stop
      found->add({at: [section, row], count: stop - row})
    endif
  endfor
  return found
enddef

# The rows of one selection that are not in another, and those of the other that are not in the first, as
# ranges. Only the parts of the two texts that differ are decoded.
export def Compare(a: string, b: string): list<list<dict<any>>>
  var shorter = min([len(a), len(b)])
  var [head, tail] = [0, 0]
  while head + CHUNK < shorter && strpart(a, head, CHUNK) ==# strpart(b, head, CHUNK)
    head += CHUNK
  endwhile
  while tail + CHUNK < shorter - head
      && strpart(a, len(a) - tail - CHUNK, CHUNK) ==# strpart(b, len(b) - tail - CHUNK, CHUNK)
    tail += CHUNK
  endwhile
  var [mine, theirs] = [Middle(a, head, tail), Middle(b, head, tail)]
  return [Difference(mine, theirs), Difference(theirs, mine)]
enddef

# The ranges from the last one that begins in the first `head` bytes to the first one that ends in the last
# `tail` bytes.
def Middle(text: string, head: number, tail: number): list<any>
  var first = max([1, strridx(text, FIRST, head)])
  var last = stridx(text, '}', len(text) - tail - 1)
  return json_decode($'[{strpart(text, first, (last < 0 ? len(text) - 2 : last) - first + 1)}]')
enddef

defcompile
