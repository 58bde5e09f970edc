--- A list in a buffer, from its first snapshot to its end, and what the person does with it.

local Buffer = require("listd.buffer")

local View = setmetatable({}, Buffer)
View.__index = View

--- A view of the list in a buffer that nobody else writes to.
--- @param list string
--- @param options table connect(): a client, or nil and why; buffer; templates;
---   on_open(item, how), on_refresh(), on_close(): what the keys and the end of the buffer do
function View.new(list, options)
  local self = setmetatable({
    list = list,
    options = options,
    buf = options.buffer or vim.api.nvim_create_buf(true, true),
    count = 0, -- lines of the text; an empty buffer has one line and an empty text none
    revision = 0,
    text_revision = nil, -- nil while the text of the daemon is not known
    cursor = nil, -- the path of the row that the daemon has the cursor on
    cursor_line = nil, -- the line where that row begins
    offset = 0, -- from there to the person's line, in a row of several lines
    selection = {},
    turn = 0, -- of asking where the selected rows are; only the last one's answer counts
  }, View)
  local set = vim.bo[self.buf]
  set.buftype, set.bufhidden, set.swapfile, set.undolevels = "nofile", "hide", false, -1
  set.modifiable, set.filetype = false, "listd"
  local group = vim.api.nvim_create_augroup("listd" .. self.buf, {})
  local function on(event, does)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = self.buf, callback = does })
  end
  on({ "CursorMoved", "WinEnter" }, function()
    self:sync()
  end)
  on("BufWinEnter", function()
    vim.wo.signcolumn = "yes" -- or the text jumps with the first and the last selected row
  end)
  on("BufWipeout", function()
    self:close()
  end)
  self:attach()
  return self
end

--- Begins to follow the list, also on a new daemon after the old one's death.
--- @return boolean whether there is a daemon, string|nil why not
function View:attach()
  local client, why = self.options.connect(self)
  if not client then
    self:warn(why)
    return false, why
  end
  self.client, self.text_revision, self.cursor, self.cursor_line = client, nil, nil, nil
  self.syncing, self.rereading = false, false
  if self.options.templates then
    self:ask("registerTemplates", { templates = self.options.templates })
  end
  local params = { list = self.list, format = "textEdits", content = false }
  self:ask("subscribe", params, function(state)
    self.revision, self.selection, self.cursor = state.revision, state.selection, state.cursor
    if state.revision > 0 then
      self:reread()
    end
  end)
  return true
end

--- Shows a snapshot: {sections = …} or {items = …}, and what else `applySnapshot` takes.
--- @param done function|nil done(err, change)
--- @return boolean whether it was sent; where the daemon has died, another is started
function View:apply(snapshot, done)
  if (not self.client or self.client.ended) and not self:attach() then
    return false
  end
  local params = vim.tbl_extend("force", { list = self.list }, snapshot)
  self.client:request("applySnapshot", params, function(err, change)
    if err and not (done or err.ended) then
      self:warn(err.message)
    end
    if done then
      done(err, change)
    end
  end)
  return true
end

--- Changes the selection: an action of `select`, with the row under the cursor where it needs one.
function View:select(action)
  if action == "all" or action == "none" or action == "invert" then
    return self:ask("select", { list = self.list, action = action })
  end
  self:row(function(row)
    self:ask("select", { list = self.list, action = action, items = { row } })
  end)
end

--- Changes the selection by the rows of the lines first..last, counted from 0.
function View:select_lines(action, first, last)
  local lines = {}
  for line = first, last do
    lines[#lines + 1] = line
  end
  self:rows(lines, function(rows)
    self:ask("select", { list = self.list, action = action, items = rows })
  end, function(changed)
    if changed then
      self:warn("the list has just changed, nothing is selected")
    end
  end)
end

--- Finds the items that are selected: `done(items)`.
function View:selected(done)
  self:ask("getSelection", { list = self.list }, function(told)
    done(told.items)
  end)
end

--- Opens the item under the cursor.
function View:open(how)
  self:row(function(row)
    self:ask("locate", { list = self.list, paths = { row.path } }, function(found)
      local place = found.paths[1]
      if place ~= vim.NIL and self.options.on_open then
        self.options.on_open(place.content, how)
      end
    end)
  end)
end

function View:refresh()
  if self.options.on_refresh then
    self.options.on_refresh()
  end
end

--- Ends following; the list goes with the view.
function View:close()
  if self.closed then
    return
  end
  self.closed = true
  if self.options.on_close then
    self.options.on_close(self)
  end
  if self.client and not self.client.ended then
    self.client:request("unsubscribe", { list = self.list })
    self.client:request("removeList", { list = self.list })
  end
end

return View
