--- A listd process and the conversation with it: one JSON message a line, replies matched by id.

local Json = require("listd.json")
local members = require("listd.members")
local uv = vim.uv or vim.loop

local Client = {}
Client.__index = Client

local KEPT = 1000 -- messages that the log remembers
local WIDEST = 4000 -- bytes of a message that it shows
local PATIENCE = 30000 -- milliseconds that a request waits for its answer

local function runnable(path)
  return path and vim.fn.executable(path) == 1
end

--- The daemon's command: the option, `$LISTD`, `listd` on the path, or this checkout's build.
--- @return string[]|nil command, string how it was found, or why there is none
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
  -- The plugin's folder may be a link into the checkout.
  local here = vim.fn.resolve(vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p"))
  local root = vim.fn.fnamemodify(here, ":h:h:h:h:h")
  for _, build in ipairs({ "release", "debug" }) do
    local path = root .. "/.build/" .. build .. "/listd"
    if runnable(path) then
      return { path }, "the build folder, " .. path
    end
  end
  return nil, "$LISTD, the path and " .. root .. "/.build"
end

-- The command that joins a daemon that listens: `connect` is its socket, or all words after
-- `listd connect`.
local function joining(cmd, connect)
  local words = type(connect) == "string" and { connect } or connect
  return vim.list_extend(vim.list_extend(vim.list_slice(cmd), { "connect" }), words)
end

--- Starts a daemon, or joins one.
--- @param options table|nil cmd; connect: the socket of a daemon that others use, too; log: a file that gets every message; timeout: milliseconds that a
---   request waits; on_notification(method, params); on_end(why), when the process has ended without
---   being asked to; on_error(why), when a callback has failed
--- @return table|nil client, string|nil why there is none
function Client.start(options)
  options = options or {}
  local cmd, where = Client.find(options.cmd)
  if not cmd then
    return nil, "There is no listd to run (looked at " .. where .. ")"
  end
  if options.connect then
    cmd = joining(cmd, options.connect)
  end
  local self = setmetatable({
    cmd = cmd,
    shared = options.connect ~= nil, -- whether its lists are somebody else's, too
    pending = {}, -- by id: {done, params, due}
    timeout = options.timeout or PATIENCE,
    last_id = 0,
    log = {},
    rest = {}, -- of the message that has not ended yet
    inbox = {}, -- messages, and how many of these are handled
    handled = 0,
    stdin = uv.new_pipe(false),
    stdout = uv.new_pipe(false),
    stderr = uv.new_pipe(false),
    on_notification = options.on_notification or function() end,
    on_end = options.on_end or function() end,
    on_error = options.on_error or function() end,
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
      self.reported = line
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
--- An error is a table {code, message, data}; {message, ended = true} of a dead daemon; {message,
--- timeout = true} if there was no answer in time; {message, invalid = true} if params are not JSON.
--- @param params table|string what the method takes, or the JSON text of it
--- @return integer|nil id for `cancel`
function Client:request(method, params, done)
  done = done or function() end
  local function fail(err)
    vim.schedule(function()
      self:_guard(done, err)
    end)
  end
  if self.ended then
    fail({ message = self.ended, ended = true })
    return nil
  end
  local text, why = Json.encode(params)
  if not text then
    fail({ message = method .. ": " .. why, invalid = true })
    return nil
  end
  self.last_id = self.last_id + 1
  local id = self.last_id
  self.pending[id] = { done = done, params = params, due = uv.now() + self.timeout }
  self:_watch()
  self:_send('"id":' .. id .. ',"method":"' .. method .. '"', text)
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

--- Whether the daemon has answered that it has a feature.
function Client:has(feature)
  return self.server ~= nil and vim.tbl_contains((self.server.capabilities or {}).features or {}, feature)
end

--- Sends a notification.
--- @return boolean whether it was sent, string|nil why not
function Client:notify(method, params)
  local text, why = Json.encode(params)
  if self.ended or not text then
    return false, self.ended or why
  end
  self:_send('"method":"' .. method .. '"', text)
  return true
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

function Client:_send(head, params)
  local text = '{"jsonrpc":"2.0",' .. head .. ',"params":' .. params .. "}"
  self:_log("→", text)
  self.stdin:write({ text, "\n" })
end

--- Calls a callback. What it raises is reported, and harms nobody else.
function Client:_guard(callback, ...)
  local ok, why = xpcall(callback, debug.traceback, ...)
  if not ok then
    self:_log("!", (why:gsub("\n", "\n! ")))
    self.on_error(why)
  end
end

--- Answers a request that waits.
function Client:_answer(id, err, result)
  local waiting = self.pending[id]
  if waiting then
    self.pending[id] = nil
    self:_guard(waiting.done, err, result)
  end
end

--- Fails what has waited for too long, for as long as anything waits.
function Client:_watch()
  if self.watching then
    return
  end
  self.watching = true
  vim.defer_fn(function()
    self.watching = false
    local now = uv.now()
    for id, waiting in pairs(self.pending) do
      if waiting.due <= now and not self.ended then
        self:cancel(id)
        local text = string.format("no answer within %g s", self.timeout / 1000)
        self:_answer(id, { message = text, timeout = true })
      end
    end
    if next(self.pending) and not self.ended then
      self:_watch()
    end
  end, math.max(20, math.min(1000, self.timeout / 4)))
end

function Client:_received(chunk)
  local from = 1
  while true do
    local newline = chunk:find("\n", from, true)
    if not newline then
      break
    end
    self.rest[#self.rest + 1] = chunk:sub(from, newline - 1)
    self.inbox[#self.inbox + 1] = table.concat(self.rest)
    self.rest = {}
    from = newline + 1
  end
  if from <= #chunk then
    self.rest[#self.rest + 1] = chunk:sub(from)
  end
  self:_wake()
end

--- Handles messages in their order, each in a turn of its own, so that keys are handled between them.
function Client:_wake()
  if self.awake or self.held or not self.inbox[self.handled + 1] then
    return
  end
  self.awake = true
  vim.schedule(function()
    self.awake = false
    if not self.held then
      self.handled = self.handled + 1
      local text = self.inbox[self.handled]
      if self.handled == #self.inbox then
        self.inbox, self.handled = {}, 0
      end
      if type(text) == "function" then
        text() -- after the last message
      else
        self:_log("←", text)
        self:_guard(self._handle, self, text)
      end
    end
    self:_wake()
  end)
end

--- Lets all further messages wait until `resume`.
function Client:hold()
  self.held = true
end

function Client:resume()
  self.held = false
  self:_wake()
end

local function decode(text)
  return vim.json.decode(text, { luanil = { object = true } })
end

function Client:_handle(text)
  local ok, message = pcall(members.decode, text, decode)
  if not ok or type(message) ~= "table" then
    return self:_unreadable()
  end
  if message.method then
    self.on_notification(message.method, message.params or {})
  elseif message.id then
    self:_answer(message.id, message.error, message.result)
  elseif message.error then
    self:_unreadable(message.error)
  end
end

--- Fails the request that waits longest: replies come in the order of the requests, so a reply
--- without an id, or one that Neovim cannot read (it reads no lone surrogates), is to that one.
function Client:_unreadable(err)
  self:_log("!", err and err.message or "that is no message")
  local first
  for id in pairs(self.pending) do
    first = math.min(first or id, id)
  end
  if first then
    local why = err and Json.not_utf8(self.pending[first].params)
    if why then
      err = vim.tbl_extend("force", err, { message = why })
    end
    self:_answer(first, err or { message = "the reply is no JSON that Neovim reads" })
  end
end

--- After the end of the process and of its output: fails all pending requests.
function Client:_drained()
  if not (self.status and self.read) then
    return
  end
  for _, handle in ipairs({ self.stdin, self.stdout, self.stderr, self.handle }) do
    if not handle:is_closing() then
      handle:close()
    end
  end
  self.inbox[#self.inbox + 1] = function()
    local why = self.shared and self.reported and (": " .. self.reported) or ""
    self.ended = "listd has ended (" .. self.status .. ")" .. why
    self:_log("!", self.ended)
    if self.log_file then
      self.log_file:close()
      self.log_file = nil
    end
    local waiting = vim.tbl_keys(self.pending)
    table.sort(waiting)
    for _, id in ipairs(waiting) do
      self:_answer(id, { message = self.ended, ended = true })
    end
    if not self.closing then
      self:_guard(self.on_end, self.ended)
    end
  end
  self:_wake()
end

function Client:_log(sign, text)
  if self.log_file then
    self.log_file:write(sign, " ", text, "\n")
    self.log_file:flush()
  end
  self.log[#self.log + 1] = { sign, #text > WIDEST and text:sub(1, WIDEST) or text, #text }
  if #self.log > 2 * KEPT then
    self.log = vim.list_slice(self.log, KEPT + 1)
  end
end

--- The latest messages, one a line.
function Client:messages()
  local lines = {}
  for _, entry in ipairs(self.log) do
    local sign, text, size = unpack(entry)
    local rest = size > #text and " … (" .. size .. " bytes)" or ""
    vim.list_extend(lines, vim.split(sign .. " " .. text .. rest, "\n", { plain = true }))
  end
  return lines
end

return Client
