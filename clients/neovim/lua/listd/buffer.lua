--- What a list's buffer shows: the text by edits, the cursor both ways, marks of selected rows.
--- Its fields are a view's, see `View.new`.

local edits = require("listd.edits")

local Buffer = {}
Buffer.__index = Buffer

local space = vim.api.nvim_create_namespace("listd")

--- Takes in what the daemon tells of the list.
function Buffer:told(method, params)
  if self.closed then
    return
  elseif method == "didChange" then
    self.revision = params.revision
    if params.textRevision == nil or params.textRevision ~= self.text_revision then
      if params.baseTextRevision == self.text_revision and params.textEdits then
        self:edit(edits.read(params.textEdits), params.cursorLine)
        self.text_revision = params.textRevision
      else
        self:reread()
      end
    end
    self.cursor = params.cursor
    self:mark(params.selection)
  elseif method == "didSelect" then
    self:mark(params.selection)
    if params.cursor and not vim.deep_equal(params.cursor, self.cursor) then
      self.cursor = params.cursor
      self:go(params.cursor)
    end
  elseif method == "didRemove" then
    self:edit({ { first = 0, last = self.count, lines = {} } })
    self.revision, self.text_revision = 0, nil
    self:mark({})
  end
end

--- Says that the daemon is gone: what is shown stays, and is what was known last.
function Buffer:lost(why)
  self.cursor_line, self.syncing = nil, false
  self:warn(why .. "; the list shows what it was, refreshing starts anew")
end

--- Gets the whole text, as at the start and where an edit does not fit.
function Buffer:reread()
  if self.rereading then
    return
  end
  self.rereading = true
  self:ask("getText", { list = self.list }, function(now)
    self.rereading = false
    local old = self.count > 0 and vim.api.nvim_buf_get_lines(self.buf, 0, -1, true) or {}
    local new = edits.lines(now.text)
    self.revision = now.revision
    self:edit(edits.between(old, new), now.cursorLine, function(line)
      for i, text in ipairs(new) do
        if text == old[line + 1] then
          return i - 1
        end
      end
    end)
    self.text_revision = now.textRevision
    self:mark(self.selection)
  end, function()
    self.rereading = false
  end)
end

--- Edits the buffer; a window whose cursor is on the daemon's row goes with that row.
--- @param find function|nil where a line is now, if the edits do not know
function Buffer:edit(changes, cursor_line, find)
  local followed = self.cursor_line and self.cursor_line + self.offset
  local windows = {}
  for _, win in ipairs(vim.fn.win_findbuf(self.buf)) do
    windows[win] = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  end
  local empty = self.count == 0
  vim.bo[self.buf].modifiable = true
  self.count = edits.apply(self.buf, self.count, changes, function(first, last)
    vim.api.nvim_buf_clear_namespace(self.buf, space, first, last)
  end)
  vim.bo[self.buf].modifiable = false
  for win, view in pairs(windows) do
    local line = find and find(view.lnum - 1) or edits.carried(view.lnum - 1, changes)
    if empty then
      line = cursor_line or 0
    elseif cursor_line and view.lnum - 1 == followed then
      line = cursor_line + self.offset
    end
    line = math.max(0, math.min(line, self.count - 1))
    -- What shows its top goes on showing it; else the row stays where it is on the screen.
    if view.topline > 1 then
      view.topline = math.max(1, view.topline + line + 1 - view.lnum)
    end
    view.lnum = line + 1
    vim.api.nvim_win_call(win, function()
      vim.fn.winrestview(view)
    end)
  end
  self.cursor_line = cursor_line
  if self.offset > 0 then
    -- The row may have other lines now, or be another row.
    self.cursor_line, self.offset = nil, 0
    if vim.api.nvim_get_current_buf() == self.buf then
      self:sync()
    end
  end
end

--- Goes to a row, as somebody else has done in the list.
function Buffer:go(path)
  local turn = self.turn
  self:ask("locate", { list = self.list, paths = { path }, text = true }, function(found)
    local place, win = found.paths[1], vim.fn.bufwinid(self.buf)
    if turn == self.turn and place ~= vim.NIL then
      self.cursor_line, self.offset = place.line, 0
      if win ~= -1 then
        vim.api.nvim_win_set_cursor(win, { place.line + 1, 0 })
      end
    end
  end)
end

--- Tells the daemon the row that the person is on, once at a time.
function Buffer:sync()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local known = self.cursor_line and self.cursor_line + self.offset == line
  if not self.client or self.client.ended or self.count == 0 or known then
    return
  elseif self.syncing then
    self.again = true
    return
  end
  self.syncing = true
  local function finished()
    self.syncing = false
    if self.again and vim.api.nvim_get_current_buf() == self.buf then
      self.again = false
      self:sync()
    end
  end
  self:row(function(row)
    local now = { list = self.list, cursor = row }
    self:ask("select", now, function(told)
      self.cursor = told.cursor
      self:ask("locate", { list = self.list, paths = { row.path }, text = true }, function(found)
        local place = found.paths[1]
        if row.text_revision == self.text_revision and place ~= vim.NIL then
          self.cursor_line, self.offset = place.line, row.line - place.line
        end
        finished()
      end, finished)
    end, finished)
  end, finished)
end

--- Finds the row of the line under the cursor: `done(row)`, an item reference that remembers the
--- line and the text it was found in. A header is no row: nothing is done but `otherwise`.
function Buffer:row(done, otherwise)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  self:rows({ line }, function(rows)
    done(rows[1])
  end, function(changed)
    if changed and vim.api.nvim_get_current_buf() == self.buf then
      self:row(done, otherwise)
    elseif otherwise then
      otherwise()
    end
  end)
end

--- Finds the rows of lines: `done(rows)`, or `otherwise(changed)` where there are none, or where
--- the text has changed meanwhile.
function Buffer:rows(lines, done, otherwise)
  local text_revision = self.text_revision
  self:ask("locate", { list = self.list, lines = lines }, function(found)
    local rows = {}
    for i, place in ipairs(found.lines) do
      if place ~= vim.NIL and place.at then
        rows[#rows + 1] = setmetatable(
          { path = place.at, revision = self.revision },
          { __index = { line = lines[i], text_revision = text_revision } }
        )
      end
    end
    local changed = self.text_revision ~= text_revision
    if #rows > 0 and not changed then
      done(rows)
    elseif otherwise then
      otherwise(changed)
    end
  end, otherwise and function()
    otherwise(false)
  end)
end

--- Marks the selected rows, once their lines are known.
function Buffer:mark(selection)
  self.selection = selection
  self.turn = self.turn + 1
  local turn, paths = self.turn, {}
  for _, range in ipairs(selection) do
    local section, row = range.at[1], range.at[2]
    paths[#paths + 1] = range.at
    paths[#paths + 1] = { section, row + range.count - 1 }
  end
  local function show(places)
    if turn ~= self.turn then
      return
    end
    vim.api.nvim_buf_clear_namespace(self.buf, space, 0, -1)
    for i = 1, #places, 2 do
      for line = places[i].line, places[i + 1].line + places[i + 1].lineCount - 1 do
        vim.api.nvim_buf_set_extmark(self.buf, space, line, 0, {
          sign_text = "*",
          sign_hl_group = "ListdSign",
          line_hl_group = "ListdSelected",
        })
      end
    end
  end
  if #paths == 0 then
    return show({})
  end
  local function later() end -- the rows have changed again, and the change marks them anew
  self:ask("locate", { list = self.list, paths = paths, text = true }, function(found)
    show(found.paths)
  end, later)
end

--- Asks the daemon: `done(result)`, or `otherwise()` and, where nobody minds, a warning.
function Buffer:ask(method, params, done, otherwise)
  if not self.client then
    return
  end
  local client = self.client
  client:request(method, params, function(err, result)
    if self.closed or client ~= self.client then
      return
    elseif err then
      if otherwise then
        otherwise()
      elseif not err.ended then
        self:warn(method .. ": " .. err.message)
      end
    elseif done then
      done(result)
    end
  end)
end

function Buffer:warn(text)
  vim.notify("listd: " .. text, vim.log.levels.WARN)
end

return Buffer
