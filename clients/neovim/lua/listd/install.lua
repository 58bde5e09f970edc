--- Whether there is a daemon that this client can talk to, and how to get one. Nothing is fetched.

local Client = require("listd.client")

local M = {}

local PROTOCOL = 1
local FEATURES = { "compose.view.match", "compose.view.tree", "locate.match", "references.line" }

local HOW = {
  "",
  "To get the program, one of:",
  "",
  "  sudo dpkg -i listd_*.deb        the package of a release, on Debian and Ubuntu",
  "  pip install listd-*.whl         the wheel of a release, with the Python client",
  "  tar xzf listd-*.tar.gz          the tarball of a release; put bin on the path",
  "  clients/install                 from a checkout, into ~/.local; takes Swift 6.2",
  "",
  "It is found by the option cmd, else $LISTD, else on the path, else in the checkout's build.",
}

--- Looks for the daemon and talks to it: {found, where, version, protocol, problem}.
function M.verify(cmd)
  local found, where = Client.find(cmd)
  local state = { found = found and found[1], where = where }
  if not found then
    state.problem = "there is no listd to run (looked at " .. where .. ")"
    return state
  end
  local client, why = Client.start({ cmd = found, timeout = 2000 })
  if not client then
    state.problem = why
    return state
  end
  vim.wait(2000, function()
    return client.server or client.ended
  end, 5)
  local server = client.server
  local info = type(server) == "table" and server.serverInfo
  if not server then
    state.problem = found[1] .. " does not answer" .. (client.ended and ": " .. client.ended or "")
  elseif type(info) ~= "table" or info.name ~= "listd" then
    state.problem = found[1] .. " is another program, not listd"
  else
    state.version = tostring(info.version)
    state.protocol = tostring(server.protocolVersion)
    local has = (server.capabilities or {}).features or {}
    local missing = vim.tbl_filter(function(feature)
      return not vim.tbl_contains(has, feature)
    end, FEATURES)
    if server.protocolVersion ~= PROTOCOL then
      state.problem = string.format("it speaks protocol %s, this client %d", state.protocol, PROTOCOL)
    elseif #missing > 0 then
      state.problem = "it is too old: it lacks " .. table.concat(missing, ", ")
    end
  end
  client:close()
  return state
end

--- Shows what was found in a buffer.
function M.show(cmd)
  local state = M.verify(cmd)
  local lines = { "listd for Neovim", "" }
  if state.found then
    lines[#lines + 1] = "Found by " .. state.where
  end
  if state.version then
    lines[#lines + 1] = "It answers: listd " .. state.version .. ", protocol " .. state.protocol
  end
  lines[#lines + 1] = state.problem and "Problem: " .. state.problem or "All is well."
  vim.list_extend(lines, state.problem and HOW or {})
  vim.cmd("botright new")
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype, vim.bo[buf].bufhidden = "nofile", "wipe"
  vim.api.nvim_buf_set_lines(buf, 0, -1, true, lines)
  vim.bo[buf].modifiable = false
  return state
end

return M
