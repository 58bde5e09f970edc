--- Lists in buffers, kept by listd.

local Client = require("listd.client")
local View = require("listd.view")

local M = { options = {}, views = {} }

--- @param options table|nil cmd: the daemon's command, a string or a list; log: a file for the
---   traffic; maps: false for no key maps, or a table {action = key or false}
function M.setup(options)
  M.options = options or {}
end

--- The daemon of this Neovim, started when it is needed.
--- @return table|nil client, string|nil why there is none
function M.client()
  if M.running and not (M.running.ended or M.running.closing) then
    return M.running
  end
  local client, why = Client.start({
    cmd = M.options.cmd,
    log = M.options.log,
    on_notification = function(method, params)
      local view = params.list and M.views[params.list]
      if view then
        view:told(method, params)
      elseif method == "window/logMessage" and params.type <= 2 then
        vim.notify("listd: " .. params.message, vim.log.levels.WARN)
      end
    end,
    on_end = function(reason)
      for _, view in pairs(M.views) do
        view:lost(reason)
      end
    end,
  })
  M.running = client or M.running
  return client, why
end

--- Shows a list in a buffer, with the key maps.
--- @param list string a name that no other view has
--- @param options table|nil see |listd.view()|
function M.view(list, options)
  options = options or {}
  local view = View.new(list, vim.tbl_extend("force", options, {
    connect = function(view)
      M.views[list] = view
      return M.client()
    end,
    on_close = function(view)
      M.views[list] = nil
      if options.on_close then
        options.on_close(view)
      end
    end,
  }))
  M.map(view)
  return view
end

--- The view in a buffer, the current one if none is named.
function M.view_of(buf)
  buf = buf or vim.api.nvim_get_current_buf()
  for _, view in pairs(M.views) do
    if view.buf == buf then
      return view
    end
  end
end

local maps = {
  open = { "<CR>", "open the item" },
  split = { "<C-s>", "open it in a split" },
  toggle = { "<Space>", "select or deselect the row" },
  extend = { "x", "select from the last selected row to this one" },
  all = { "a", "select all" },
  none = { "u", "select none" },
  invert = { "i", "select the others" },
  refresh = { "R", "refresh" },
  close = { "q", "close the list" },
}

--- Sets the key maps of a view's buffer.
function M.map(view)
  local own = M.options.maps
  if own == false then
    return
  end
  local function map(mode, action, does)
    local key = own and own[action]
    if key == nil then
      key = maps[action][1]
    end
    if key then
      local how = { buffer = view.buf, nowait = true, desc = "listd: " .. maps[action][2] }
      vim.keymap.set(mode, key, does, how)
    end
  end
  for _, action in ipairs({ "toggle", "extend", "all", "none", "invert" }) do
    map("n", action, function()
      view:select(action)
    end)
  end
  map("x", "toggle", function()
    local from, to = vim.fn.line("v"), vim.fn.line(".")
    view:select_lines("toggle", math.min(from, to) - 1, math.max(from, to) - 1)
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("<Esc>", true, false, true), "nx", false)
  end)
  map("n", "open", function()
    view:open("edit")
  end)
  map("n", "split", function()
    view:open("split")
  end)
  map("n", "refresh", function()
    view:refresh()
  end)
  map("n", "close", function()
    vim.api.nvim_buf_delete(view.buf, { force = true })
  end)
end

--- Ends the daemon; the next thing that needs one starts another.
function M.stop()
  if M.running then
    M.running:close()
  end
end

--- Shows the latest messages to and from the daemon.
function M.show_log()
  local lines = M.running and M.running.log or { "listd has not been started." }
  vim.cmd("botright new")
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype, vim.bo[buf].bufhidden = "nofile", "wipe"
  vim.wo.wrap = false
  vim.api.nvim_buf_set_lines(buf, 0, -1, true, lines)
  vim.bo[buf].modifiable = false
  vim.api.nvim_win_set_cursor(0, { #lines, 0 })
end

return M
