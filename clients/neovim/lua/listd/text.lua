--- Reads the text of a list in windows, so that no key waits for a long one. Meanwhile the buffer has
--- the first lines of the text, and changes of these are applied. A buffer that shows an older text
--- keeps it until the new one is read. The functions are a view's, see `View.new`.

local Selection = require("listd.selection")
local edits = require("listd.edits")
local members = require("listd.members")
local slices = require("listd.slices")

local Text = {}

local WINDOW = 500 -- lines that are read at a time
local MARGIN = 50 -- of these, lines that may be known already, in case a change deletes some meanwhile

--- Begins to follow the list. Its text, which may be long, is read afterwards.
function Text:follow()
  self.following, self.text_revision = false, nil
  local window = { start = 0, count = 0 }
  self:ask("getText", { list = self.list, lines = window }, function(now)
    self:subscribe("textEdits", now.textRevision)
  end)
end

--- Subscribes with a format; edits since a text are known to be few.
function Text:subscribe(format, since)
  local params = { list = self.list, format = format, content = false, sinceText = since }
  self:ask("subscribe", params, function(state)
    if format ~= "textEdits" then
      return
    end
    self.following = true
    self.revision, self.selection, self.cursor = state.revision, Selection.of(state), state.cursor
    if state.revision > 0 then
      self:reread()
    elseif self.count == 0 and not self.unloaded then
      self.text_revision = 0
    end
  end)
end

--- Whether the buffer has the text that the client gave it.
function Text:untouched()
  return vim.api.nvim_buf_get_changedtick(self.buf) == self.tick
end

--- Reads the text from its beginning, as at the start and after a missed edit.
function Text:reread()
  if self.rereading or self.unloaded then
    return
  end
  local old = vim.api.nvim_buf_get_lines(self.buf, 0, -1, true)
  self.count = #old == 1 and old[1] == "" and 0 or #old
  self.tick = vim.api.nvim_buf_get_changedtick(self.buf)
  self.rereading, self.text_revision = true, nil
  self.fresh = { lines = {} } -- and revision, once it is known
  self:read_on()
end

--- The number of lines that were read.
function Text:lines_read()
  return self.fresh and #self.fresh.lines or self.count
end

--- Reads the next window.
function Text:read_on()
  local start = math.max(0, self:lines_read() - MARGIN)
  local window = { start = start, count = WINDOW }
  self:ask("getText", { list = self.list, lines = window }, function(now)
    if self.unloaded or not self.rereading then
      self.rereading, self.fresh = false, nil
      return
    end
    self:take_window(start, now)
  end, function(err)
    self.rereading, self.fresh = false, nil
    if err.code ~= -31001 then
      self:warn("getText: " .. err.message)
    end
  end)
end

function Text:take_window(start, now)
  local fresh = self.fresh
  if fresh and not fresh.revision then
    self.revision, fresh.revision = now.revision, now.textRevision
    if self.count == 0 then
      self.fresh, fresh, self.text_revision = nil, nil, now.textRevision
    end
  elseif now.textRevision ~= (fresh and fresh.revision or self.text_revision) then
    self.rereading = false -- an edit was missed
    return self:reread()
  end
  local read, lines = self:lines_read(), edits.lines(now.text)
  local stop = start + #lines
  if read < start or read > stop and stop < now.lineCount then
    return self:read_on() -- a change has deleted or inserted many lines
  end
  lines = vim.list_slice(lines, read - start + 1)
  if fresh then
    vim.list_extend(fresh.lines, lines)
  else
    local appended = { first = read, last = read, lines = lines }
    self:edit({ appended }, not self.syncing and now.cursorLine or nil)
  end
  if stop < now.lineCount then
    return self:read_on()
  end
  self.rereading, self.fresh = false, nil
  if fresh then
    self.text_revision = fresh.revision
    self:replace(fresh.lines, now.cursorLine)
  end
  self:mark_all()
  self:flush()
end

--- Gives the buffer, which shows an older text, the lines of the new one.
function Text:replace(new, cursor_line)
  local old = vim.api.nvim_buf_get_lines(self.buf, 0, self.count, true)
  self:edit(edits.between(old, new), cursor_line, nil, function(line)
    for i, text in ipairs(new) do
      if text == old[line + 1] then
        return i - 1
      end
    end
  end)
end

--- Reads the text edits of a change: `done(read)`. If they are long, that takes several turns of the loop, and
--- the messages that follow wait: until the change is shown, a line means the row that it shows.
function Text:read_edits(change, done)
  local client, json = self.client, members.raw(change, "textEdits")
  if not json then
    return done(edits.read(change.textEdits or {}))
  end
  client:hold()
  slices.run(function(pause)
    return edits.read_json(json, pause)
  end, function(err, read)
    client:_guard(function()
      assert(not err, err)
      if client == self.client then
        done(read)
      end
    end)
    client:resume()
  end)
end

--- Takes in the text of a change, with its edits as they were read. Returns false if rows are not to be marked yet.
function Text:take(change, all)
  local fresh = self.fresh
  if not self.following or fresh and not fresh.revision then
    return false -- what is read next is newer
  end
  local known
  if fresh then known = fresh.revision else known = self.text_revision end
  if change.textRevision ~= nil and change.textRevision == known then
    return not self.rereading
  end
  local has = members.raw(change, "textEdits") or change.textEdits
  if not (self:untouched() and known and has and change.baseTextRevision == known) then
    self.text_revision, self.fresh = nil, nil -- a pending window shows that an edit was missed
    self:reread()
    return false
  end
  local changes, cut = edits.clip(all, self:lines_read(), self.rereading, WINDOW)
  if fresh then
    fresh.revision = change.textRevision
    edits.splice(fresh.lines, changes)
    return false
  end
  self.text_revision = change.textRevision
  -- While only the first lines are there, some may move from or to others.
  local moves = not (cut or self.rereading) and edits.moves(change) or nil
  if moves and moves.scattered then
    self:find_rows(change)
  end
  local brought = self:edit(changes, change.cursorLine, moves)
  if cut and not self.rereading then
    self.rereading = true
    self:read_on()
  end
  if self.rereading then
    return false
  end
  if change.baseRevision ~= change.revision then
    vim.list_extend(self.brought, brought)
  end
  return true
end

return Text
