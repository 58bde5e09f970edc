--- A list in a buffer, from its first snapshot to its end, and what the person does with it.

local Selection = require("listd.selection")

local RESTED = 10000 -- milliseconds after which a daemon is started by itself once more

local View = {}
View.__index = View
for _, part in ipairs({ "buffer", "text", "marks", "rows", "sending" }) do
  for name, does in pairs(require("listd." .. part)) do
    View[name] = does
  end
end

--- A view of the list in a buffer that nobody else writes to.
--- @param list string
--- @param options table connect(view): a client, or nil and why; buffer; name, of the buffer; templates; on_open(item,
---   how, place), on_refresh(), on_change(view, change), on_expand(view, items), on_close(); restarts, whether another
---   daemon is started when one has ended; on_load(view), when the buffer has been loaded again and has neither options
---   nor key maps
function View.new(list, options)
  local self = setmetatable({
    list = list,
    options = options,
    buf = options.buffer or vim.api.nvim_create_buf(true, true),
    space = vim.api.nvim_create_namespace("listd"),
    count = 0, -- lines of the text; an empty buffer has one line and an empty text none
    tick = 0, -- the changedtick of the buffer with this text
    revision = 0,
    text_revision = nil, -- nil while the text of the daemon is not known
    cursor = nil, -- the path of the row that the daemon has the cursor on
    cursor_line = nil, -- the line of the cursor in that row
    astray = {}, -- by windows: {line} of a cursor whose row is being looked for
    selection = Selection.none(),
    section_ids = {}, -- of the sections, as they were applied last
    turn = 0, -- numbers the requests for the selected rows; only the last answer is used
    brought = {}, -- lines of which it is not known yet whether they are selected
    turns = {}, -- what is asked about rows, in the order of asking
    acts = {}, -- what is done with the answers, in the same order
    waiting = {}, -- for a change to be shown: {done, change}
    sending = nil, -- what is to be sent after a snapshot that is being sent in parts
    following = false, -- whether edits of the text are sent
    rereading = false, -- whether the text is being read
    fresh = nil, -- what was read of it, if the buffer shows an older text: {lines, revision}
    unloaded = false, -- whether the buffer has no text, as after :bdelete
  }, View)
  if vim.api.nvim_buf_get_name(self.buf) == "" then
    -- Neovim reuses an empty buffer without a name for the next file.
    local name = options.name or "listd://" .. list
    if not pcall(vim.api.nvim_buf_set_name, self.buf, name) then
      vim.api.nvim_buf_set_name(self.buf, name .. " (" .. self.buf .. ")")
    end
  end
  local group = vim.api.nvim_create_augroup("listd" .. self.buf, {})
  local function on(event, does)
    vim.api.nvim_create_autocmd(event, { group = group, buffer = self.buf, callback = does })
  end
  on({ "CursorMoved", "WinEnter" }, function()
    self:sync()
  end)
  on("BufWinEnter", function()
    vim.cmd("setlocal nowrap signcolumn=yes") -- or the text jumps with the first and last selected row
  end)
  on("BufUnload", function()
    self.unloaded, self.text_revision, self.cursor_line, self.count = true, nil, nil, 0
    self.rereading, self.fresh, self.astray = false, nil, {}
    self:flush()
  end)
  on("BufReadCmd", function()
    self:load()
    self:refresh()
  end)
  on("BufWipeout", function()
    self:close()
  end)
  self:load()
  self:attach()
  return self
end

--- Makes the buffer one of a list, and fills it if it has lost its text.
function View:load()
  local set = vim.bo[self.buf]
  set.buftype, set.bufhidden, set.swapfile, set.undolevels = "nofile", "hide", false, -1
  set.modifiable, set.filetype, set.buflisted = false, "listd", true
  self.tick = vim.api.nvim_buf_get_changedtick(self.buf)
  if self.unloaded then
    self.unloaded = false
    self:unmark()
    if self:alive() then
      self:reread()
    end
  end
  for _, win in ipairs(vim.fn.win_findbuf(self.buf)) do
    vim.api.nvim_win_call(win, function()
      vim.cmd("setlocal nowrap signcolumn=yes")
    end)
  end
  if self.options.on_load then
    self.options.on_load(self)
  end
end

--- Whether there is a daemon to ask.
function View:alive()
  return self.client ~= nil and not (self.client.ended or self.client.closing)
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
  self.syncing, self.rereading, self.fresh = false, false, nil
  self.turns, self.acts, self.astray = {}, {}, {}
  if self.options.templates then
    self:ask("registerTemplates", { templates = self.options.templates })
  end
  if client.shared then
    self:follow()
  else
    self:subscribe("textEdits") -- the list is empty
  end
  return true
end

--- Shows a snapshot: {sections = …} or {items = …}, and what else `applySnapshot` takes.
--- @param snapshot table|string the JSON text of such a table is taken as well
--- @param done function|nil done(err, change), when the buffer shows it
--- @return boolean whether it was sent; if the daemon has died, another is started
function View:apply(snapshot, done)
  if type(snapshot) == "table" then
    self.last = snapshot
    self.section_ids = vim.tbl_map(function(section)
      return section.id
    end, snapshot.sections or { { id = "main" } })
  end
  return self:change("applySnapshot", snapshot, done)
end

--- Makes edits of the list: what `editSnapshot` takes.
function View:edit_items(edits, done)
  return self:change("editSnapshot", { edits = edits }, done)
end

--- Makes the list one of others, or a view of them: what `compose` takes, `{sources = …, view = …}`.
function View:compose(params, done)
  return self:change("compose", params, done)
end

--- Expands or collapses items of a list that is an outline.
--- @param what string|nil "toggle", "expand", "collapse" or "reveal" the row under the cursor, or
---   "all" or "none" of all rows; "toggle" if it is left out
--- @param deep boolean|nil whether also all rows below are expanded or collapsed
function View:expand(what, deep)
  what = what or "toggle"
  if self:revive() then
    return
  elseif what == "all" or what == "none" then
    return self:edit_items({ { edit = what == "all" and "expandAll" or "collapseAll" } })
  end
  self:item(function(item, place)
    if not place or not place.ref then
      return
    end
    local kinds = { expand = "expandItems", collapse = "collapseItems", reveal = "revealItems" }
    local kind = kinds[what]
    if what == "toggle" then
      if type(item) ~= "table" or item["$expanded"] == nil then
        return
      end
      kind = item["$expanded"] and "collapseItems" or "expandItems"
    end
    self:edit_items({ { edit = kind, items = { place.ref }, deep = deep or nil } })
  end)
end

function View:change(method, params, done)
  if self.closed or not self:alive() and not self:attach() then
    return false
  end
  if type(params) == "table" then
    params = vim.tbl_extend("force", { list = self.list }, params)
  else
    params = '{"list":' .. vim.json.encode(self.list) .. "," .. params:gsub("^%s*{", "", 1)
  end
  self:send(method, params, function(err, change)
    if err then
      if done then
        done(err)
      elseif not err.ended then
        self:warn(err.message)
      end
    elseif done and self.closed then
      done({ message = "the view was closed", ended = true })
    elseif done then
      self.waiting[#self.waiting + 1] = { done = done, change = change }
      self:flush()
    end
  end)
  return true
end

--- Changes the selection: an action of `select`, with the row under the cursor if it needs one.
function View:select(action)
  if self:revive() then
    return
  elseif action == "all" or action == "none" or action == "invert" then
    return self:in_turn(function()
      self:ask("select", { list = self.list, action = action })
    end)
  end
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  self:select_lines(action, line, line)
end

--- Changes the selection by the rows of the lines first..last, counted from 0.
function View:select_lines(action, first, last)
  if not self:revive() then
    self:select_items(action, first, last)
  end
end

-- Calls `ask(done)`; without a `done` of the caller's it waits and returns what `done` would get.
local function wait(done, ask)
  if done then
    return ask(done)
  end
  local answer
  ask(function(...)
    answer = { n = select("#", ...), ... }
  end)
  vim.wait(2000, function()
    return answer
  end, 1)
  if answer then
    return unpack(answer, 1, answer.n)
  end
end

--- Finds the items that are selected: `done(items)`, or returns them.
function View:selected(done)
  return wait(done, function(found)
    self:in_turn(function()
      self:ask("getSelection", { list = self.list }, function(result)
        found(result.items)
      end)
    end)
  end)
end

--- Finds what a line shows, counted from 0: `done(item, place)`, or returns them. Of a header or
--- footer the item is nil, and place has `section` and `header` or `footer`.
function View:at(line, done)
  return wait(done, function(found)
    self:with_row(line, function(row, at)
      self:content(row, at, function(place)
        found(place and place.item, place)
      end)
    end)
  end)
end

--- Finds what is under the cursor, as `at` does.
function View:item(done)
  return self:at(vim.api.nvim_win_get_cursor(0)[1] - 1, done)
end

--- Does something with the selected items, or, if none is selected, with the one under the cursor:
--- `act(items, place)`. `place` is what is under the cursor; of a header there are no items.
function View:act(act)
  if self:revive() then
    return
  end
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  self:with_selected(line, function(items, place)
    if #items == 0 and place and place.item ~= nil then
      items = { place.item }
    end
    act(items, place)
  end)
end

--- Opens the item under the cursor.
function View:open(how)
  if self:revive() then
    return
  end
  self:item(function(item, place)
    if place and self.options.on_open and (item ~= nil or self.options.opens_headers) then
      self.options.on_open(item, how, place)
    end
  end)
end

--- Edits the lines in the current window, if there is the option `edit`.
function View:edit_lines()
  if not self:revive() then
    require("listd.lines").open(self)
  end
end

--- Asks the owner for the list as it is now. If something else has changed the buffer, reads the text again.
function View:refresh()
  if self:alive() and not self.unloaded and not self:untouched() then
    self:reread()
  end
  if self.options.on_refresh then
    self.options.on_refresh(self)
  elseif not self:alive() and self.last then
    self:apply(self.last)
  end
end

--- After the daemon's death: starts another and shows the list anew. Returns whether it had died.
function View:revive()
  if self:alive() then
    return false
  end
  self:refresh()
  if self:alive() then
    self:warn("started again; press the key again")
  end
  return true
end

--- After the daemon's death: starts another if the view wants that, unless it did so just now.
function View:restart()
  local now = vim.loop.now()
  if self.options.restarts and now > (self.restarted or -RESTED) + RESTED then
    self.restarted = now
    vim.schedule(function()
      if not self.closed and not self:alive() then
        self:refresh()
      end
    end)
  end
end

--- Ends following; the list goes with the view, if nobody else has it.
function View:close()
  if self.closed then
    return
  end
  self.closed = true
  self:forget("the view was closed")
  if self.options.on_close then
    self.options.on_close(self)
  end
  if self:alive() then
    self.client:request("unsubscribe", { list = self.list })
    if not self.client.shared then
      self.client:request("removeList", { list = self.list })
    end
  end
end

return View
