--- Which row each line of a buffer stands for while the buffer is edited. An extmark over each line and its line break
--- follows the row; if it is empty, the line was deleted. A line that was deleted and inserted elsewhere, as by dd and
--- p or by :sort, is recognized by its text if no other row has this text.

local api = vim.api

local Tracking = {}
Tracking.__index = Tracking

local space = api.nvim_create_namespace("listd.tracking")

--- Begins to track the lines of a buffer: line i stands for row i.
function Tracking.new(buf)
  local self = setmetatable({ buf = buf, texts = {}, lost = {}, changed = nil }, Tracking)
  self.texts = api.nvim_buf_get_lines(buf, 0, -1, true) -- of each row, when it was last seen
  for row = 1, #self.texts do
    self:put(row, row - 1)
  end
  api.nvim_buf_attach(buf, false, { on_lines = function(_, _, _, first, last, new_last)
    local old = self.changed or { first = first, last = first }
    local shifted = old.last >= last and old.last + new_last - last or old.last
    self.changed = { first = math.min(old.first, first), last = math.max(shifted, new_last) }
  end })
  -- Also within macros, at every step where the text has its rows again.
  api.nvim_create_autocmd({ "TextChanged", "InsertEnter", "InsertLeave", "CmdlineEnter" }, {
    buffer = buf,
    callback = function()
      self:settle()
    end,
  })
  return self
end

function Tracking:put(row, line)
  api.nvim_buf_set_extmark(self.buf, space, line, 0, { id = row, end_row = line + 1, end_col = 0 })
end

-- The rows of the lines from `first` to `last`, by line: {row, …}; calls `lost(row)` for each whose line was deleted.
-- A line that undo has inserted again has its mark and its text; `:move` can also widen the empty mark of another row.
local function rows_in(self, first, last, lost)
  local rows, stop = {}, last < api.nvim_buf_line_count(self.buf) and { last, -1 } or -1
  local lines = api.nvim_buf_get_lines(self.buf, first, last + 1, false)
  for _, mark in ipairs(api.nvim_buf_get_extmarks(self.buf, space, { first, 0 }, stop, { details = true })) do
    local row, line, column, ends = unpack(mark)
    local wide = ends.end_row > line or ends.end_row == line and ends.end_col > column
    if wide and (not self.lost[row] or self.texts[row] == lines[line - first + 1]) then
      rows[line] = rows[line] or {}
      table.insert(rows[line], row)
      if ends.end_row > line + 1 then
        self:put(row, line) -- the line was split
      end
    elseif lost then
      lost(row)
    end
  end
  return rows, lines
end

-- Recognizes lines that were deleted and inserted elsewhere. Only texts that one row has are put into `owners`.
local function recognize(self, inserted)
  local owners = {}
  for row, text in ipairs(self.texts) do
    owners[text] = owners[text] == nil and row
  end
  for text, line in pairs(inserted) do
    local row = owners[text]
    if line and row and self.lost[row] then
      self.lost[row] = nil
      self:put(row, line)
    end
  end
end

-- Whether the lines of several rows were joined: it has the texts of all. Otherwise undo has moved the marks of rows
-- whose texts it does not have, and their lines may be anywhere.
local function are_joined(self, rows, line)
  local strays = vim.tbl_filter(function(row)
    return not line:find(vim.trim(self.texts[row]), 1, true)
  end, rows)
  for _, row in ipairs(strays) do
    self.lost[row] = true
  end
  return #strays == 0
end

--- Looks at the lines that were changed since.
function Tracking:settle()
  local changed, inserted = self.changed, {}
  if not changed then
    return
  end
  self.changed = nil
  local rows, lines = rows_in(self, changed.first, changed.last, function(row)
    self.lost[row] = true
  end)
  for i, text in ipairs(lines) do -- and the one after them, which may have been joined
    local line = changed.first + i - 1
    local there = rows[line]
    if not there and text:find("%S") then
      inserted[text] = inserted[text] == nil and line
    elseif there and there[2] then
      if not are_joined(self, there, text) then
        self.changed = { first = 0, last = api.nvim_buf_line_count(self.buf) }
      end
    elseif there then
      self.texts[there[1]], self.lost[there[1]] = text, nil
    end
  end
  if self.changed then
    self:settle()
  elseif next(inserted) and next(self.lost) then
    recognize(self, inserted)
  end
end

--- The rows of all lines, by line counted from 0: {row, …}, more than one if lines were joined. New lines have none.
function Tracking:rows()
  self:settle()
  return (rows_in(self, 0, api.nvim_buf_line_count(self.buf)))
end

--- The row of a line, or nil.
function Tracking:row(line)
  local rows = rows_in(self, line, line)[line]
  return rows and rows[1]
end

return Tracking
