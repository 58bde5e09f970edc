vim9script
# The selected rows of a list, as ranges. They are kept as the JSON text in which the daemon has sent them,
# '[{"at":[0,1],"count":1},…]': every change repeats all of them, and few are read.

const LARGE = 4000  # bytes of ranges that are not decoded with their message
const CHUNK = 1000  # bytes that are compared at a time
const WIDEST = 80  # bytes of a range
const KEY = '"selection":'
const FIRST = '{"at":['
const RANGE = '^{"at":\[\(\d\+\),\(\d\+\)\],"count":\(\d\+\)}'

export const NONE = '[]'

# Decodes a message. If its params or result have a large `selection`, that is the JSON text.
export def Decode(text: string): any
  var key = stridx(text, KEY .. '[' .. FIRST)
  var last = stridx(text, '}]', key) + 2
  while key >= 0 && last - key < LARGE
    key = stridx(text, KEY .. '[' .. FIRST, last)
    last = stridx(text, '}]', key) + 2
  endwhile
  if key < 0
    return json_decode(text)
  endif
  var start = key + len(KEY)
  var message: any = json_decode(strpart(text, 0, start) .. '0' .. strpart(text, last))
  var state: any = type(message) == v:t_dict ? get(message, 'params', get(message, 'result', null)) : null
  if type(state) != v:t_dict || type(get(state, 'selection')) != v:t_number || !has_key(state, 'selection')
    return json_decode(text)  # an item has a member of that name
  endif
  state.selection = strpart(text, start, last - start)
  return message
enddef

# A state or change with the ranges themselves.
export def Full(state: any): any
  if type(state) == v:t_dict && type(get(state, 'selection')) == v:t_string
    state.selection = json_decode(state.selection)
  endif
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
