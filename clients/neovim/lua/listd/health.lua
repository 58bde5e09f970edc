--- :checkhealth listd

local Client = require("listd.client")
local listd = require("listd")

local M = {}

function M.check()
  local health = vim.health or require("health")
  local start = health.start or health.report_start
  local ok = health.ok or health.report_ok
  local warn = health.warn or health.report_warn
  local bad = health.error or health.report_error

  start("listd")
  if vim.fn.has("nvim-0.7") == 1 then
    ok("Neovim is 0.7 or newer")
  else
    bad("Neovim 0.7 or newer is needed")
  end
  local cmd, where = Client.find(listd.options.cmd)
  if not cmd then
    return bad("There is no listd to run (looked at " .. where .. ")", {
      "Set the option cmd or $LISTD, put listd on the path, or build it here:",
      "swift build -c release --static-swift-stdlib --product listd",
    })
  end
  ok("The daemon is found by " .. where)
  local client, why = Client.start({ cmd = cmd, connect = listd.options.connect })
  if not client then
    return bad(why)
  end
  vim.wait(2000, function()
    return client.server or client.ended
  end, 5)
  if not client.server then
    return bad("It does not answer" .. (client.ended and ": " .. client.ended or ""), client:messages())
  end
  ok("It answers: listd " .. tostring(client.server.serverInfo.version))
  if client.server.protocolVersion == 1 then
    ok("It speaks protocol version 1")
  else
    warn("It speaks protocol version " .. tostring(client.server.protocolVersion))
  end
  client:close()
end

return M
