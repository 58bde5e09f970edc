--- Text edits of whole lines, applied so that everything else in the buffer stays where it is.

local M = {}

--- The lines of a text in which every line ends with a line break.
function M.lines(text)
  if text == "" then
    return {}
  end
  local lines = vim.split(text, "\n", { plain = true })
  lines[#lines] = nil
  return lines
end

--- The protocol's text edits as {first, last, lines}: lines first..last-1 give way to `lines`.
function M.read(edits)
  local read = {}
  for i, edit in ipairs(edits) do
    read[i] = {
      first = edit.range.start.line,
      last = edit.range["end"].line,
      lines = M.lines(edit.newText),
    }
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

--- Where a line goes: with the text around it, and within an edit as far as there are lines.
function M.carried(line, edits)
  local shift = 0
  for _, edit in ipairs(edits) do
    if line < edit.first then
      break
    elseif line < edit.last then
      return edit.first + shift + math.max(0, math.min(line - edit.first, #edit.lines - 1))
    end
    shift = shift + #edit.lines - (edit.last - edit.first)
  end
  return line + shift
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

--- Applies edits to the buffer of a text with `count` lines, bottom up.
--- @param gone function|nil called with (first, last) before lines first..last-1 go
--- @return integer count of the lines after
function M.apply(buf, count, edits, gone)
  for i = #edits, 1, -1 do
    local edit = edits[i]
    local old, new = edit.last - edit.first, #edit.lines
    local both = math.min(old, new)
    if gone and old > both then
      gone(edit.first + both, edit.last)
    end
    if old == count and new == 0 then
      vim.api.nvim_buf_set_lines(buf, 0, -1, true, {})
    elseif count == 0 then
      -- An empty buffer has one line; the empty text has none.
      vim.api.nvim_buf_set_lines(buf, 0, -1, true, edit.lines)
    else
      if old ~= new then
        local rest = vim.list_slice(edit.lines, both + 1)
        vim.api.nvim_buf_set_lines(buf, edit.first + both, edit.last, true, rest)
      end
      for k = 1, both do
        rewrite(buf, edit.first + k - 1, edit.lines[k])
      end
    end
    count = count + new - old
  end
  return count
end

return M
