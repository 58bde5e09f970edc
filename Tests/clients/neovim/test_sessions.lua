-- Recorded sessions: edits of a text, one after the other, make the texts that were read; and the
-- conversation of a list in a buffer, played again through the client, is answered as it was.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local Client = require("listd.client")
local edits = require("listd.edits")

local function read(path)
  local entries = {}
  for line in io.lines(path) do
    -- Some say things that Neovim cannot read, such as lone surrogates.
    local ok, entry = pcall(vim.json.decode, line, { luanil = { object = true } })
    if ok and type(entry.message) == "table" then
      entries[#entries + 1] = entry
    end
  end
  return entries
end

--- Plays what the server said: how many texts were compared.
local function replay(path)
  local texts, compared = {}, 0
  for _, entry in ipairs(read(path)) do
    local told = entry.from == "server" and (entry.message.result or entry.message.params)
    local list = type(told) == "table" and told.list
    if list and told.text and told.textRevision then
      local text = texts[list]
      if text and text.revision == told.textRevision then
        local lines = edits.lines(told.text)
        T.equal(T.lines(text.buf), #lines > 0 and lines or { "" }, path)
        compared = compared + 1
      end
      local buf = vim.api.nvim_create_buf(false, true)
      local lines = edits.lines(told.text)
      vim.api.nvim_buf_set_lines(buf, 0, -1, true, lines)
      texts[list] = { buf = buf, count = #lines, revision = told.textRevision }
    elseif list and told.textEdits and told.baseTextRevision then
      local text = texts[list]
      if text and told.baseTextRevision == text.revision then
        text.count = edits.apply(text.buf, text.count, edits.read(told.textEdits))
        text.revision = told.textRevision
      end
    end
  end
  return compared
end

local sessions = vim.fn.glob("Tests/Sessions/*.ndjson", false, true)

T.test("the texts of all sessions", function()
  local compared = 0
  for _, path in ipairs(sessions) do
    compared = compared + replay(path)
  end
  assert(compared >= 6, compared .. " texts compared")
end)

T.test("the conversation of a list in a buffer", function()
  local told, wanted = {}, {}
  local client = assert(Client.start({
    on_notification = function(method, params)
      params.request = nil
      told[#told + 1] = { method = method, params = params }
    end,
  }))
  for _, entry in ipairs(read("Tests/Sessions/a-list-in-a-buffer.ndjson")) do
    local message = entry.message
    if entry.from == "server" and message.method then
      message.params.request = nil
      wanted[#wanted + 1] = { method = message.method, params = message.params }
    elseif entry.from == "server" then
      wanted[#wanted + 1] = { err = message.error, result = message.result }
    elseif message.id then
      client:request(message.method, message.params, function(err, result)
        told[#told + 1] = { err = err, result = result }
      end)
    else
      client:notify(message.method, message.params)
    end
  end
  T.wait("the end", function()
    return client.ended
  end)
  assert(#wanted > 30, #wanted .. " messages")
  T.equal(told, wanted)
end)

T.finish()
