--- What a list's buffer shows: the text by edits, and the cursor both ways. The functions are a
--- view's, see `View.new`.

local Selection = require("listd.selection")
local edits = require("listd.edits")
local notice = require("listd.notice")

local Buffer = {}

--- Takes in a change of the list. `read` are its edits of the text.
function Buffer:changed(change, read)
  if self.closed then
    return
  end
  local before = self.selection
  self.revision, self.selection = change.revision, Selection.of(change)
  if not self.unloaded and self:take(change, read) then
    self:mark_change(before, change)
  end
  self.cursor = change.cursor
  self:flush()
  if self.options.on_change then
    self.options.on_change(self, change)
  end
end

--- Handles a notification about the list.
function Buffer:notified(method, params)
  if self.closed then
    return
  elseif method == "didChange" then
    self:read_edits(params, function(read)
      self:changed(params, read)
    end)
  elseif method == "didSelect" then
    self.selection = Selection.of(params)
    if not self.unloaded then
      self:mark_ops(params.ops or {})
    end
    if params.cursor and not vim.deep_equal(params.cursor, self.cursor) then
      self.cursor, self.cursor_line = params.cursor, nil
      self:go(params)
    end
  elseif method == "didExpand" then
    if self.options.on_expand then
      self.options.on_expand(self, params.items)
    end
  elseif method == "didRemove" then
    self.revision, self.selection, self.cursor = 0, Selection.none(), nil
    if not self.unloaded then
      self:edit({ { first = 0, last = self.count, lines = {} } })
      self.text_revision, self.fresh = 0, nil
      self:unmark()
    end
  end
end

--- Calls what waits for a change to be shown.
function Buffer:flush()
  while self.waiting[1] do
    local first = self.waiting[1]
    local shown = self.text_revision and not self.rereading
    if not (self.unloaded or shown) or self.revision < first.change.revision then
      return
    end
    table.remove(self.waiting, 1)
    self.client:_guard(first.done, nil, first.change)
  end
end

--- Gives up what is under way: the daemon has ended, or the view.
function Buffer:forget(why)
  self.cursor_line, self.syncing, self.rereading, self.fresh = nil, false, false, nil
  self.turns, self.acts, self.astray = {}, {}, {}
  local waiting = self.waiting
  self.waiting = {}
  for _, one in ipairs(waiting) do
    self.client:_guard(one.done, { message = why, ended = true })
  end
end

--- The line that stands for the daemon's cursor: the first one until that line is read.
function Buffer:followed()
  return self.cursor_line and (self.cursor_line < self.count and self.cursor_line or 0)
end

-- Puts the cursor of a window, which was as in `before`, on a line.
local function place(win, before, line)
  -- A window that shows the top still does; in others the row keeps its line of the screen.
  if before.topline > 1 then
    before.topline = math.max(1, before.topline + line + 1 - before.lnum)
  end
  before.lnum = line + 1
  vim.api.nvim_win_call(win, function()
    vim.fn.winrestview(before)
  end)
end

--- Before a change whose moves are not read: asks where it moves the rows that windows have their cursors on. Until
--- the answer, these are astray.
--- @param change table
function Buffer:find_rows(change)
  local asked, refs = {}, {}
  for _, win in ipairs(vim.fn.win_findbuf(self.buf)) do
    local line, astray = vim.api.nvim_win_get_cursor(win)[1] - 1, self.astray[win]
    local known = change.cursorLine and line == self:followed()
    if not known and not (astray and astray.line == line) then
      self.astray[win] = { line = line }
      asked[#asked + 1] = { win = win, astray = self.astray[win] }
      refs[#refs + 1] = { line = line, textRevision = change.baseTextRevision }
    end
  end
  if #refs == 0 then
    return
  end
  self:ask("locate", { list = self.list, items = refs, text = true }, function(found)
    for i, one in ipairs(asked) do
      local row = found.items[i]
      if self.astray[one.win] == one.astray then
        self.astray[one.win] = nil
        if row ~= vim.NIL and found.revision == self.revision then
          self:put(one.win, one.astray.line, row.line)
        end
      end
    end
  end, function()
    self.astray = {}
  end)
end

--- Puts the cursor of a window on a line, unless it was moved from the line since.
function Buffer:put(win, from, line)
  local shown = vim.api.nvim_win_is_valid(win) and vim.api.nvim_win_get_buf(win) == self.buf
  if shown and not self.rereading and line < self.count and vim.api.nvim_win_get_cursor(win)[1] - 1 == from then
    place(win, vim.api.nvim_win_call(win, vim.fn.winsaveview), line)
    if win == vim.api.nvim_get_current_win() then
      self:sync()
    end
  end
end

--- Edits the buffer; each window's cursor goes with its row.
--- @param moves table|nil lines that the edits delete and insert elsewhere, by `edits.moves`
--- @param find function|nil returns the new line of a line, if the edits do not have it
--- @return integer[] the lines that are new
function Buffer:edit(changes, cursor_line, moves, find)
  local followed = self:followed()
  local windows = {}
  for _, win in ipairs(vim.fn.win_findbuf(self.buf)) do
    windows[win] = vim.api.nvim_win_call(win, vim.fn.winsaveview)
  end
  local mode = vim.api.nvim_get_mode().mode
  local visual = mode:match("^[vV\22]") and vim.api.nvim_get_current_buf() == self.buf
  local anchor = visual and vim.fn.getpos("v")
  local empty = self.count == 0
  moves = moves or {}
  local carry = edits.carrier(changes, moves)
  vim.bo[self.buf].modifiable = true
  self.count = edits.apply(self.buf, self.count, changes, function(first, last)
    vim.api.nvim_buf_clear_namespace(self.buf, self.space, first, last)
  end, moves)
  vim.bo[self.buf].modifiable = false
  self.tick = vim.api.nvim_buf_get_changedtick(self.buf)
  local function kept(line)
    local now = find and find(line) or carry(line)
    if empty or cursor_line and line == followed then
      now = cursor_line and cursor_line < self.count and cursor_line or 0
    end
    return math.max(0, math.min(now, self.count - 1))
  end
  for win, view in pairs(windows) do
    local old, line = view.lnum - 1, kept(view.lnum - 1)
    if self.astray[win] and self.astray[win].line == old then
      self.astray[win].line = line
    end
    place(win, view, line)
  end
  if visual then
    self:anchor(mode, { kept(anchor[2] - 1) + 1, anchor[3] - 1 }, anchor[2])
  end
  self.cursor_line = cursor_line
  for i, line in ipairs(self.brought) do
    self.brought[i] = carry(line)
  end
  if moves.scattered then
    self.whole = true -- too many lines are new
    return {}
  end
  return self.selection:empty() and {} or edits.brought(changes, moves)
end

--- Moves the other end of the Visual area to a position.
function Buffer:anchor(mode, place, before)
  if place[1] == before then
    return
  end
  local cursor = vim.api.nvim_win_get_cursor(0)
  vim.cmd("noautocmd normal! \27")
  vim.api.nvim_win_set_cursor(0, place)
  vim.cmd("noautocmd normal! " .. mode:sub(1, 1))
  vim.api.nvim_win_set_cursor(0, cursor)
end

--- Goes to the daemon's row with the cursor, as somebody else has done in the list.
function Buffer:go(state)
  local line, win = state.cursorLine, vim.fn.bufwinid(self.buf)
  if line and state.textRevision == self.text_revision and not self.unloaded then
    self.cursor_line = line
    if win ~= -1 and line < self.count then
      vim.api.nvim_win_set_cursor(win, { line + 1, 0 })
    end
  end
end

--- Sends the row of the cursor to the daemon, one request at a time.
function Buffer:sync()
  local line, text_revision = vim.api.nvim_win_get_cursor(0)[1] - 1, self.text_revision
  local known = self:followed() == line
  if not self:alive() or self.count == 0 or self.unloaded or known or not text_revision then
    return
  elseif self.syncing then
    self.again = true
    return
  end
  self.syncing = true
  self.cursor_line = nil
  local function finished()
    self.syncing = false
    if self.again and vim.api.nvim_get_current_buf() == self.buf then
      self.again = false
      self:sync()
    end
  end
  local params = { list = self.list, cursor = self:ref(line), format = "textEdits" }
  self:ask("select", params, function(result)
    self.cursor, self.cursor_line = result.cursor, nil
    local same = text_revision == self.text_revision and text_revision == result.textRevision
    if same then
      self.cursor_line = result.cursorLine
    end
    finished()
  end, finished)
end

--- Sends a request: `done(result)`, or `otherwise(err)`; without it, an error is a warning.
function Buffer:ask(method, params, done, otherwise)
  local client = self.client
  if not client then
    return
  end
  client:request(method, params, function(err, result)
    if self.closed or client ~= self.client then
      return
    elseif err then
      if otherwise then
        otherwise(err)
      elseif not err.ended then
        self:warn(method .. ": " .. err.message)
      end
    elseif done then
      done(result)
    end
  end)
end

function Buffer:warn(text)
  notice(text)
end

return Buffer
