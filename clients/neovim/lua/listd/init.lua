--- Lists in buffers, kept by listd.

local Client = require("listd.client")
local View = require("listd.view")
local maps = require("listd.maps")
local notice = require("listd.notice")

local M = { options = {}, views = {}, daemons = {} }

--- @param options table|nil cmd: the daemon's command, a string or a list; connect: the socket of a
---   daemon that other programs use, too, or the words after `listd connect`; log: a file for the
---   traffic; timeout: milliseconds that a request waits for its answer; maps: false for no key
---   maps, or a table {action = key or false}; confirm_renames: false to write edited lines without a question
function M.setup(options)
  M.options = options or {}
end

-- What a view's list needs of a daemon: names and templates are for all lists of one daemon.
local DEFAULTS = { Cell = "{text}", Header = "{text}", Footer = "{text}" }

local function fits(daemon, view)
  local other = daemon.views[view.list]
  if other and other ~= view then
    return false
  end
  for name, text in pairs(vim.tbl_extend("keep", view.options.templates or {}, DEFAULTS)) do
    if daemon.templates[name] and daemon.templates[name] ~= text then
      return false
    end
  end
  return true
end

local function start(namespace)
  local daemon = { namespace = namespace, views = {}, templates = {} }
  local client, why = Client.start({
    cmd = M.options.cmd,
    connect = M.options.connect,
    log = M.options.log,
    timeout = M.options.timeout,
    on_notification = function(method, params)
      local view = params.list and daemon.views[params.list]
      if view then
        view:notified(method, params)
      elseif method == "window/logMessage" and params.type <= 2 then
        notice(params.message)
      end
    end,
    on_error = function(why)
      notice(why:match("^[^\n]*") .. " (:ListdLog has more)", vim.log.levels.ERROR)
    end,
    on_end = function(reason)
      if next(daemon.views) then
        notice(reason .. "; its lists show what was known, R starts anew")
      end
      for _, view in pairs(daemon.views) do
        view:forget(reason)
        view:restart()
      end
    end,
  })
  if not client then
    return nil, why
  end
  daemon.client = client
  M.daemons = vim.tbl_filter(function(other)
    return not (other.client.ended or other.client.closing)
  end, M.daemons)
  table.insert(M.daemons, daemon)
  return daemon
end

-- The daemon that a view shares with others of its namespace, unless one of them has a list of the
-- same name or another template of the same name.
local function connect(view)
  local namespace = view.options.namespace or ""
  local found, why
  for _, daemon in ipairs(M.daemons) do
    local runs = not (daemon.client.ended or daemon.client.closing)
    if runs and daemon.namespace == namespace and fits(daemon, view) then
      found = daemon
      break
    end
  end
  if not found then
    found, why = start(namespace)
    if not found then
      return nil, why
    end
  end
  found.views[view.list] = view
  for name, text in pairs(vim.tbl_extend("keep", view.options.templates or {}, DEFAULTS)) do
    found.templates[name] = text
  end
  return found.client
end

--- The daemon that lists without a namespace share, started when it is needed.
--- @return table|nil client, string|nil why there is none
function M.client()
  for _, daemon in ipairs(M.daemons) do
    if daemon.namespace == "" and not (daemon.client.ended or daemon.client.closing) then
      return daemon.client
    end
  end
  local daemon, why = start("")
  return daemon and daemon.client, why
end

--- Shows a list in a buffer, with the key maps.
--- @param list string its name
--- @param options table|nil see |listd.view()|
function M.view(list, options)
  options = options or {}
  local view = View.new(list, vim.tbl_extend("force", options, {
    connect = connect,
    on_load = function(view)
      maps.set(view, M.options.maps)
      maps.highlight(view)
    end,
    on_close = function(view)
      M.views[view.buf] = nil
      for _, daemon in ipairs(M.daemons) do
        if daemon.views[list] == view then
          daemon.views[list] = nil
        end
      end
      if options.on_close then
        options.on_close(view)
      end
    end,
  }))
  M.views[view.buf] = view
  return view
end

--- The view in a buffer, the current one if none is named.
function M.view_of(buf)
  return M.views[buf or vim.api.nvim_get_current_buf()]
end

--- Ends the daemons; the next thing that needs one starts another.
function M.stop()
  for _, daemon in ipairs(M.daemons) do
    daemon.client:close()
  end
end

--- Shows the latest messages to and from the daemons.
function M.show_log()
  local lines = {}
  for _, daemon in ipairs(M.daemons) do
    if #M.daemons > 1 then
      lines[#lines + 1] = "# listd " .. daemon.client.pid .. " " .. daemon.namespace
    end
    vim.list_extend(lines, daemon.client:messages())
  end
  vim.cmd("botright new")
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype, vim.bo[buf].bufhidden = "nofile", "wipe"
  vim.cmd("setlocal nowrap")
  vim.api.nvim_buf_set_lines(buf, 0, -1, true, #lines > 0 and lines or { "listd has not been started." })
  vim.bo[buf].modifiable = false
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(buf), 0 })
end

return M
