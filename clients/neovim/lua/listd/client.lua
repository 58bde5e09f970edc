--- A listd process and the conversation with it: one JSON message a line, replies matched by id.

local uv = vim.uv or vim.loop

local Client = {}
Client.__index = Client

local KEPT = 1000 -- messages that the log remembers
local WIDEST = 4000 -- bytes of a message that it shows

local function runnable(path)
  return path and vim.fn.executable(path) == 1
end

--- The daemon's command: the option, `$LISTD`, `listd` on the path, or this checkout's build.
--- @return string[]|nil command, string where it was found, or why there is none
function Client.find(cmd)
  if cmd then
    cmd = type(cmd) == "string" and { cmd } or cmd
    return runnable(cmd[1]) and cmd or nil, "the option cmd, " .. tostring(cmd[1])
  end
  local named = vim.env.LISTD
  if named and named ~= "" then
    return runnable(named) and { named } or nil, "$LISTD, " .. named
  end
  if runnable("listd") then
    return { "listd" }, "the path, " .. vim.fn.exepath("listd")
  end
  local root = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h:h:h:h")
  for _, build in ipairs({ "release", "debug" }) do
    local path = root .. "/.build/" .. build .. "/listd"
    if runnable(path) then
      return { path }, "the build folder, " .. path
    end
  end
  return nil, "$LISTD, the path and " .. root .. "/.build"
end

--- Starts a daemon.
--- @param options table|nil cmd; log: a file that gets every message; on_notification(method, params);
---   on_end(why), when the process has ended without being asked to
--- @return table|nil client, string|nil why there is none
function Client.start(options)
  options = options or {}
  local cmd, where = Client.find(options.cmd)
  if not cmd then
    return nil, "There is no listd to run (looked at " .. where .. ")"
  end
  local self = setmetatable({
    cmd = cmd,
    pending = {},
    methods = {},
    last_id = 0,
    log = {},
    rest = {},
    stdin = uv.new_pipe(false),
    stdout = uv.new_pipe(false),
    stderr = uv.new_pipe(false),
    on_notification = options.on_notification or function() end,
    on_end = options.on_end or function() end,
  }, Client)
  local handle, pid = uv.spawn(cmd[1], {
    args = vim.list_slice(cmd, 2),
    stdio = { self.stdin, self.stdout, self.stderr },
  }, function(code, signal)
    self.status = signal ~= 0 and ("signal " .. signal) or ("exit code " .. code)
    self:_drained()
  end)
  if not handle then
    for _, pipe in ipairs({ self.stdin, self.stdout, self.stderr }) do
      pipe:close()
    end
    return nil, cmd[1] .. " does not start: " .. tostring(pid)
  end
  self.handle, self.pid = handle, pid
  if options.log then
    self.log_file = io.open(options.log, "a")
  end
  self.stdout:read_start(function(_, chunk)
    if chunk then
      self:_received(chunk)
    else
      self.read = true
      self:_drained()
    end
  end)
  self.stderr:read_start(function(_, chunk)
    for line in (chunk or ""):gmatch("[^\n]+") do
      self:_log("!", line)
    end
  end)
  self:request("initialize", {
    processId = uv.os_getpid(),
    clientInfo = { name = "Neovim" },
  }, function(err, result)
    self.server = not err and result or nil
  end)
  self:notify("initialized")
  return self
end

--- Asks; `done(err, result)` is called once, on the main loop, also when the daemon dies.
--- An error is a table {code, message, data}, or {message, ended = true} of a dead daemon.
--- @return integer|nil id for `cancel`
function Client:request(method, params, done)
  done = done or function() end
  if self.ended then
    vim.schedule(function()
      done({ message = self.ended, ended = true })
    end)
    return nil
  end
  self.last_id = self.last_id + 1
  local id = self.last_id
  self.pending[id] = done
  self:_send({ jsonrpc = "2.0", id = id, method = method, params = params })
  return id
end

--- Asks and waits. Events are handled meanwhile.
--- @return any result, table|nil error
function Client:request_sync(method, params, milliseconds)
  local answer
  local id = self:request(method, params, function(err, result)
    answer = { err = err, result = result }
  end)
  vim.wait(milliseconds or 5000, function()
    return answer
  end, 1)
  if answer then
    return answer.result, answer.err
  end
  self:cancel(id)
  return nil, { message = "listd has not answered " .. method .. " in time" }
end

function Client:notify(method, params)
  if not self.ended then
    self:_send({ jsonrpc = "2.0", method = method, params = params })
  end
end

--- Asks the daemon to drop a request that it has not carried out yet.
function Client:cancel(id)
  self:notify("$/cancelRequest", { id = id })
end

--- Ends the daemon: what was asked is still answered.
function Client:close()
  if self.ended or self.closing then
    return
  end
  self.closing = true
  self:request("shutdown")
  self:notify("exit")
  self.stdin:shutdown()
  local timer = uv.new_timer()
  timer:start(2000, 0, function()
    timer:close()
    if not self.status then
      self.handle:kill("sigkill")
    end
  end)
end

function Client:_send(message)
  local text = vim.json.encode(message)
  self:_log("→", text)
  self.stdin:write(text .. "\n")
end

function Client:_received(chunk)
  local from = 1
  local messages = {}
  while true do
    local newline = chunk:find("\n", from, true)
    if not newline then
      break
    end
    self.rest[#self.rest + 1] = chunk:sub(from, newline - 1)
    messages[#messages + 1] = table.concat(self.rest)
    self.rest = {}
    from = newline + 1
  end
  if from <= #chunk then
    self.rest[#self.rest + 1] = chunk:sub(from)
  end
  if #messages > 0 then
    vim.schedule(function()
      for _, text in ipairs(messages) do
        self:_log("←", text)
        self:_handle(text)
      end
    end)
  end
end

function Client:_handle(text)
  local ok, message = pcall(vim.json.decode, text, { luanil = { object = true } })
  if not ok or type(message) ~= "table" then
    return self:_unreadable()
  end
  if message.method then
    self.on_notification(message.method, message.params or {})
  elseif message.id and self.pending[message.id] then
    local done = self.pending[message.id]
    self.pending[message.id] = nil
    done(message.error, message.result)
  elseif message.error then
    self:_log("!", "an error that answers nothing")
  end
end

--- Neovim reads less JSON than there is, such as no lone surrogates. Replies come in the order of
--- the requests, so what cannot be read answers the first one that waits.
function Client:_unreadable()
  self:_log("!", "that is no message")
  local first
  for id in pairs(self.pending) do
    first = math.min(first or id, id)
  end
  if first then
    local done = self.pending[first]
    self.pending[first] = nil
    done({ message = "the reply is no JSON that Neovim reads" })
  end
end

--- The process is gone and all it wrote is read: fails what waits.
function Client:_drained()
  if not (self.status and self.read) then
    return
  end
  for _, handle in ipairs({ self.stdin, self.stdout, self.stderr, self.handle }) do
    if not handle:is_closing() then
      handle:close()
    end
  end
  vim.schedule(function()
    self.ended = "listd has ended (" .. self.status .. ")"
    self:_log("!", self.ended)
    if self.log_file then
      self.log_file:close()
      self.log_file = nil
    end
    local waiting = vim.tbl_keys(self.pending)
    table.sort(waiting)
    for _, id in ipairs(waiting) do
      local done = self.pending[id]
      self.pending[id] = nil
      done({ message = self.ended, ended = true })
    end
    if not self.closing then
      self.on_end(self.ended)
    end
  end)
end

function Client:_log(sign, text)
  if self.log_file then
    self.log_file:write(sign, " ", text, "\n")
    self.log_file:flush()
  end
  if #text > WIDEST then
    text = text:sub(1, WIDEST) .. " … (" .. #text .. " bytes)"
  end
  self.log[#self.log + 1] = sign .. " " .. text
  if #self.log > 2 * KEPT then
    self.log = vim.list_slice(self.log, KEPT + 1)
  end
end

return Client
