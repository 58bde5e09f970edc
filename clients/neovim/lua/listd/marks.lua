--- Marks of the selected rows. Marks move with their lines; after a change only the lines that it
--- brought are looked at. The functions are a view's, see `View.new`.

local Marks = {}

local space = vim.api.nvim_create_namespace("listd")
local SLICE = 1000 -- lines that are marked at a time
local RANGES = 250 -- ranges of rows that are looked up at a time

local function clear(buf, first, last)
  vim.api.nvim_buf_clear_namespace(buf, space, first, last)
end

local function set(buf, line)
  vim.api.nvim_buf_set_extmark(buf, space, line, 0, {
    sign_text = "*",
    sign_hl_group = "ListdSign",
    line_hl_group = "ListdSelected",
  })
end

local function ends(ranges)
  local paths = {}
  for _, range in ipairs(ranges) do
    local section, row = range.at[1], range.at[2]
    paths[#paths + 1] = range.at
    paths[#paths + 1] = { section, row + range.count - 1 }
  end
  return paths
end

--- Forgets marks: the text was deleted.
function Marks:unmark()
  self.turn, self.brought, self.whole, self.marked = self.turn + 1, {}, false, false
  if vim.api.nvim_buf_is_loaded(self.buf) then
    clear(self.buf, 0, -1)
  end
end

--- Marks the rows of the selection anew, in slices.
function Marks:mark_all()
  if self.selection:empty() then
    return self:unmark()
  end
  self.turn, self.brought, self.whole, self.marked = self.turn + 1, {}, true, true
  self:mark_from(1, self.selection, self.turn)
end

--- Marks the rows of a selection from a byte of it on, until there is a new turn.
function Marks:mark_from(first, selection, turn)
  local some, next_one = selection:slice(first, RANGES)
  self:ask("locate", { list = self.list, paths = ends(some), text = true }, function(found)
    if turn == self.turn then
      if first == 1 then
        clear(self.buf, 0, -1)
      end
      self:paint(found.paths, turn, function()
        if next_one then
          return self:mark_from(next_one, selection, turn)
        end
        self.whole = false
      end)
    end
  end, function()
    self.whole = false -- the rows have changed again, and the change marks them anew
  end)
end

--- Marks the lines from each odd entry of `places` to the next, then calls `done`, unless there is a
--- new turn.
function Marks:paint(places, turn, done, index, line)
  local room = SLICE
  index = index or 1
  while index < #places do
    local first, last = places[index], places[index + 1]
    if first ~= vim.NIL and last ~= vim.NIL then
      line = line or first.line
      local stop = math.min(last.line + last.lineCount, self.count) -- more may still be read
      while line < stop do
        set(self.buf, line)
        line, room = line + 1, room - 1
        if room == 0 then
          vim.defer_fn(function()
            if turn == self.turn and not (self.closed or self.unloaded) then
              self:paint(places, turn, done, index, line)
            end
          end, 1)
          return
        end
      end
    end
    index, line = index + 2, nil
  end
  done()
end

local function rows_of(ranges)
  local rows = 0
  for _, range in ipairs(ranges) do
    rows = rows + range.count
  end
  return rows
end

--- Marks what a change has done to the selection that was before.
function Marks:mark_change(before, change)
  if self.whole then
    return self:mark_all() -- what is still to be marked has other lines now
  elseif change.baseRevision == change.revision then
    local selected, deselected = self.selection:compare(before)
    local ops = {}
    for op, rows in pairs({ selectItems = selected, deselectItems = deselected }) do
      for _, range in ipairs(rows) do
        range.op = op
        ops[#ops + 1] = range
      end
    end
    return self:mark_ops(ops)
  end
  local gone = 0
  for _, one in ipairs(change.deselected or {}) do
    gone = one.gone and gone + 1 or math.huge
  end
  if before:rows() - gone ~= self.selection:rows() then
    return self:mark_all()
  end
  self:mark_brought()
end

--- Marks the rows of the lines that changes have brought, or takes their marks away.
function Marks:mark_brought()
  local lines = self.brought
  if self.selection:empty() then
    if self.marked then
      self:unmark()
    end
    self.brought = {}
    return
  elseif #lines == 0 then
    return
  elseif #lines > 1000 + 2 * self.selection:rows() then
    return self:mark_all()
  end
  self.turn = self.turn + 1
  local turn, text_revision = self.turn, self.text_revision
  local function again()
    if turn == self.turn then
      self:mark_all()
    end
  end
  self:ask("locate", { list = self.list, lines = lines }, function(rows)
    if turn ~= self.turn or text_revision ~= self.text_revision then
      return again()
    end
    local paths = {}
    for i, place in ipairs(rows.lines) do
      if place ~= vim.NIL and place.at then
        paths[#paths + 1] = place.at
      else
        self:mark(lines[i], lines[i] + 1, false) -- a header, which may have replaced a row
      end
    end
    if #paths == 0 then
      self.brought = {}
      return
    end
    -- A row may have more lines than those that have changed.
    self:ask("locate", { list = self.list, paths = paths, text = true }, function(found)
      if turn ~= self.turn or text_revision ~= self.text_revision then
        return again()
      end
      self.brought = {}
      for i, place in ipairs(found.paths) do
        if place ~= vim.NIL then
          self:mark(place.line, place.line + place.lineCount, self.selection:holds(paths[i]))
        end
      end
    end, again)
  end, again)
end

--- Marks the lines first..last-1, or takes their marks away.
function Marks:mark(first, last, selected)
  if not selected then
    return clear(self.buf, first, last)
  end
  self.marked = true
  for line = first, math.min(last, self.count) - 1 do
    if #vim.api.nvim_buf_get_extmarks(self.buf, space, { line, 0 }, { line, -1 }, { limit = 1 }) == 0 then
      set(self.buf, line)
    end
  end
end

--- Marks what the ops of a selection select, and takes away the marks of what they deselect.
function Marks:mark_ops(ops)
  local rows = rows_of(ops)
  if rows == 0 then
    return
  elseif rows > SLICE or self.whole or #self.brought > 0 then
    return self:mark_all()
  end
  local text_revision, turn = self.text_revision, self.turn
  self:ask("locate", { list = self.list, paths = ends(ops), text = true }, function(found)
    if text_revision ~= self.text_revision or turn ~= self.turn then
      return self:mark_all()
    end
    for i, op in ipairs(ops) do
      local first, last = found.paths[2 * i - 1], found.paths[2 * i]
      if first ~= vim.NIL and last ~= vim.NIL then
        self:mark(first.line, last.line + last.lineCount, op.op == "selectItems")
      end
    end
  end, function()
    self:mark_all()
  end)
end

return Marks
