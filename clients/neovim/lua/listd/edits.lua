--- Text edits of whole lines, applied without touching the rest of the buffer.

local members = require("listd.members")

local M = {}

local RUN = 100 -- lines that are read at once
local CHUNK = 20000 -- bytes of a JSON text that are decoded at once
local BACKSLASH = ("\\"):byte()
local NEW_TEXT, NEXT = '"newText":"', '"},{"range":' -- the latter is between two edits
local MOST_MOVES = 100 -- of one change; with more, lines are replaced instead

--- The lines of a text in which every line ends with a line break. `pause` is called now and then.
function M.lines(text, pause)
  local lines, from, count = {}, 1, 0
  while true do
    local at = text:find("\n", from, true) -- `gmatch` and `vim.split` take twice as long
    if not at then
      return lines
    end
    count = count + 1
    lines[count] = text:sub(from, at - 1)
    from = at + 1
    if count % RUN == 0 and pause then
      pause()
    end
  end
end

--- The protocol's text edits as {first, last, lines}: lines first..last-1 give way to `lines`.
function M.read(edits, pause)
  local read = {}
  for i, edit in ipairs(edits) do
    read[i] = {
      first = edit.range.start.line,
      last = edit.range["end"].line,
      lines = M.lines(edit.newText, pause),
    }
    if pause then
      pause()
    end
  end
  return read
end

-- The byte after the next line break of a JSON string from a byte on, or `stop`.
local function after_break(json, start, stop)
  local at = start
  while true do
    at = json:find("\\n", at, true)
    if not at or at >= stop then
      return stop
    end
    local first = at -- of the backslashes
    while json:byte(first - 1) == BACKSLASH do
      first = first - 1
    end
    at = at + 2
    if (at - first) % 2 == 0 then
      return math.min(at, stop)
    end
  end
end

--- Reads the JSON text of text edits in parts, and calls `pause` between them: whole edits, or lines of a long one.
function M.read_json(json, pause)
  local read, from, last = {}, 2, #json - 2 -- the quote of the last edit
  while from < last do
    local stop = json:find(NEXT, from + CHUNK, true) or last
    if stop - from > 2 * CHUNK then
      stop = json:find(NEXT, from, true) or last
    end
    if stop - from <= 2 * CHUNK then
      vim.list_extend(read, M.read(vim.json.decode("[" .. json:sub(from, stop + 1) .. "]"), pause))
    else
      local head, at = json:find(NEW_TEXT, from, true)
      local edit = M.read({ vim.json.decode(json:sub(from, head - 1) .. NEW_TEXT .. '"}') })[1]
      read[#read + 1], at = edit, at + 1
      while at < stop do
        local part = after_break(json, at + CHUNK, stop)
        vim.list_extend(edit.lines, M.lines(vim.json.decode('"' .. json:sub(at, part - 1) .. '"'), pause))
        at = part
        pause()
      end
    end
    from = stop + 3
    pause()
  end
  return read
end

--- The one edit that makes a text of another, sparing the first and last lines that they share.
function M.between(old, new)
  local head, tail = 0, 0
  while head < math.min(#old, #new) and old[head + 1] == new[head + 1] do
    head = head + 1
  end
  while tail < math.min(#old, #new) - head and old[#old - tail] == new[#new - tail] do
    tail = tail + 1
  end
  if head + tail == #old and #old == #new then
    return {}
  end
  return { { first = head, last = #old - tail, lines = vim.list_slice(new, head + 1, #new - tail) } }
end

--- The edits of the first `count` lines of a text; `partial` is false if these are all. If the last edit
--- brings more than `most` lines, and no line follows, only the first of them are kept.
--- @return table edits, boolean whether lines were left out
function M.clip(edits, count, partial, most)
  local kept = {}
  for i, edit in ipairs(edits) do
    if partial and edit.first >= count then
      break
    end
    kept[i] = { first = edit.first, last = math.min(edit.last, count), lines = edit.lines }
  end
  local last = kept[#kept]
  if not last or last.last < count or #last.lines <= most then
    return kept, false
  end
  last.lines = vim.list_slice(last.lines, 1, most)
  return kept, true
end

--- Applies edits to an array of lines.
function M.splice(lines, edits)
  for i = #edits, 1, -1 do
    local edit = edits[i]
    local rest = vim.list_slice(lines, edit.last + 1)
    for k = #lines, edit.first + 1, -1 do
      lines[k] = nil
    end
    vim.list_extend(vim.list_extend(lines, edit.lines), rest)
  end
end

--- The moves of a change, {from, to, count} in ascending order of `to`: lines of the old text that the
--- edits delete there and insert here. If there are very many, none, and `scattered` is set.
function M.moves(change)
  if members.raw(change, "moves") or #(change.moves or {}) > MOST_MOVES then
    return { scattered = true }
  end
  local moves = vim.deepcopy(change.moves or {})
  table.sort(moves, function(a, b)
    return a.to < b.to
  end)
  return moves
end

--- Returns a function from old lines to new ones. A deleted line becomes the one that replaces it.
--- O(log edits + moves) a call.
function M.carrier(edits, moves)
  local shifts, shift = {}, 0
  for i, edit in ipairs(edits) do
    shifts[i] = shift
    shift = shift + #edit.lines - (edit.last - edit.first)
  end
  return function(line)
    for _, move in ipairs(moves or {}) do
      if line >= move.from and line < move.from + move.count then
        return move.to + line - move.from
      end
    end
    local low, high = 1, #edits + 1 -- the first edit that begins after the line
    while low < high do
      local middle = math.floor((low + high) / 2)
      if edits[middle].first > line then
        high = middle
      else
        low = middle + 1
      end
    end
    local edit = edits[low - 1]
    if not edit then
      return line
    elseif line < edit.last then
      local inside = math.max(0, math.min(line - edit.first, #edit.lines - 1))
      return edit.first + shifts[low - 1] + inside
    end
    return line + shifts[low - 1] + #edit.lines - (edit.last - edit.first)
  end
end

--- The new lines that edits bring, ascending, without those that moved there.
function M.brought(edits, moves)
  local moved, lines, shift = {}, {}, 0
  for _, move in ipairs(moves) do
    for i = 0, move.count - 1 do
      moved[move.to + i] = true
    end
  end
  for _, edit in ipairs(edits) do
    for i = 0, #edit.lines - 1 do
      local line = edit.first + shift + i
      if not moved[line] then
        lines[#lines + 1] = line
      end
    end
    shift = shift + #edit.lines - (edit.last - edit.first)
  end
  return lines
end

--- Changes the part of a line that differs, so that marks in the rest of it stay.
local function rewrite(buf, row, new)
  local old = vim.api.nvim_buf_get_lines(buf, row, row + 1, true)[1]
  if old == new then
    return
  end
  local shorter, head, tail = math.min(#old, #new), 0, 0
  while head < shorter and old:byte(head + 1) == new:byte(head + 1) do
    head = head + 1
  end
  while tail < shorter - head and old:byte(#old - tail) == new:byte(#new - tail) do
    tail = tail + 1
  end
  local function inside(text, at) -- whether a byte continues a character
    local byte = text:byte(at)
    return byte and byte >= 0x80 and byte < 0xC0
  end
  while head > 0 and (inside(old, head + 1) or inside(new, head + 1)) do
    head = head - 1
  end
  while tail > 0 and inside(old, #old - tail + 1) do
    tail = tail - 1
  end
  local changed = { new:sub(head + 1, #new - tail) }
  vim.api.nvim_buf_set_text(buf, row, head, row, #old - tail, changed)
end

--- Moves blocks of lines by `:move`, which carries marks, extmarks and folds. All other lines are in
--- order already. O(moves²).
local function move_lines(buf, moves)
  vim.api.nvim_buf_call(buf, function()
    local folds = vim.wo.foldenable
    vim.cmd("setlocal nofoldenable") -- or the whole of a closed fold is moved
    for index, move in ipairs(moves) do -- ascending by `to`: what is above is final
      local waiting = {}
      for later = index + 1, #moves do
        waiting[#waiting + 1] = moves[later]
      end
      table.sort(waiting, function(a, b)
        return a.at < b.at
      end)
      -- Lines above, counted without the block: final ones, and blocks that are still there.
      local above = move.to
      for _, other in ipairs(waiting) do
        local at = other.at > move.at and other.at - move.count or other.at
        if at < above then
          above = above + other.count
        end
      end
      local address = above <= move.at and above or above + move.count
      if address ~= move.at and address ~= move.at + move.count then
        vim.cmd(string.format(
          "silent keepjumps keepalt noautocmd %d,%dmove %d",
          move.at + 1, move.at + move.count, address
        ))
        for _, other in ipairs(waiting) do
          local at = other.at > move.at and other.at - move.count or other.at
          other.at = at >= above and at + move.count or at
        end
      end
    end
    if folds then
      vim.cmd("setlocal foldenable")
    end
  end)
end

-- Replaces the lines of edits, most of which show other rows than before.
local function replace(buf, count, edits, gone)
  for i = #edits, 1, -1 do
    local edit = edits[i]
    if gone then
      gone(edit.first, edit.last)
    end
    vim.api.nvim_buf_set_lines(buf, edit.first, edit.last, true, edit.lines)
    count = count + #edit.lines - (edit.last - edit.first)
  end
  return count
end

--- Applies edits to the buffer of a text with `count` lines, bottom up, then moves.
--- @param gone function|nil called with (first, last) before lines first..last-1 are deleted
--- @param moves table|nil lines that the edits delete and insert, to be moved instead
--- @return integer count of the lines after
function M.apply(buf, count, edits, gone, moves)
  moves = moves or {}
  if moves.scattered then
    return replace(buf, count, edits, gone)
  end
  local leaving, arriving = {}, {}
  for _, move in ipairs(moves) do
    for i = 0, move.count - 1 do
      leaving[move.from + i], arriving[move.to + i] = move, true
    end
    move.at = move.from
  end
  -- `at` of a move is its first line once the other edits are applied.
  local function shifted(line, by)
    for _, move in ipairs(moves) do
      if move.from > line then
        move.at = move.at + by
      end
    end
  end
  local ends = 0
  for _, edit in ipairs(edits) do
    ends = ends + #edit.lines - (edit.last - edit.first)
  end
  local moved = {} -- the texts of the lines that are moved, by their new lines
  for i = #edits, 1, -1 do
    local edit = edits[i]
    ends = ends - #edit.lines + edit.last - edit.first
    local old, new = {}, {} -- lines that are not moved away, texts that are not moved here
    for line = edit.first, edit.last - 1 do
      if not leaving[line] then
        old[#old + 1] = line
      end
    end
    for k, text in ipairs(edit.lines) do
      local line = edit.first + ends + k - 1
      if arriving[line] then
        moved[line] = text
      else
        new[#new + 1] = text
      end
    end
    local both = math.min(#old, #new)
    local k = #old
    while k > both do -- in runs of lines that follow each other
      local last = old[k]
      while k > both + 1 and old[k - 1] == old[k] - 1 do
        k = k - 1
      end
      if gone then
        gone(old[k], last + 1)
      end
      vim.api.nvim_buf_set_lines(buf, old[k], last + 1, true, {})
      count = count - (last + 1 - old[k])
      shifted(last, old[k] - last - 1)
      k = k - 1
    end
    if #new > both then
      local rest = vim.list_slice(new, both + 1)
      local at = both > 0 and old[both] + 1 or edit.first
      if count == 0 then
        vim.api.nvim_buf_set_lines(buf, 0, -1, true, rest)
      else
        vim.api.nvim_buf_set_lines(buf, at, at, true, rest)
      end
      count = count + #rest
      shifted(at - 1, #rest)
    end
    for pair = 1, both do
      rewrite(buf, old[pair], new[pair])
    end
  end
  if #moves > 0 then
    move_lines(buf, moves)
  end
  for line, text in pairs(moved) do
    rewrite(buf, line, text)
  end
  return count
end

return M
