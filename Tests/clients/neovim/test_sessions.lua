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
    local got = entry.from == "server" and (entry.message.result or entry.message.params)
    local list = type(got) == "table" and got.list
    if list and got.text and got.textRevision then
      local text = texts[list]
      if text and text.revision == got.textRevision then
        local lines = edits.lines(got.text)
        T.equal(T.lines(text.buf), #lines > 0 and lines or { "" }, path)
        compared = compared + 1
      end
      local buf = vim.api.nvim_create_buf(false, true)
      local lines = edits.lines(got.text)
      vim.api.nvim_buf_set_lines(buf, 0, -1, true, lines)
      texts[list] = { buf = buf, count = #lines, revision = got.textRevision }
    elseif list and got.textEdits and got.baseTextRevision then
      local text = texts[list]
      if text and got.baseTextRevision == text.revision then
        text.count = edits.apply(text.buf, text.count, edits.read(got.textEdits))
        text.revision = got.textRevision
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
  local got, wanted = {}, {}
  local client = assert(Client.start({
    on_notification = function(method, params)
      params.request = nil
      got[#got + 1] = { method = method, params = params }
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
        got[#got + 1] = { err = err, result = result }
      end)
    else
      client:notify(message.method, message.params)
    end
  end
  T.wait("the end", function()
    return client.ended
  end)
  assert(#wanted > 30, #wanted .. " messages")
  T.equal(got, wanted)
end)

T.finish()
