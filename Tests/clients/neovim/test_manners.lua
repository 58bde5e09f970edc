-- How a list behaves beside the person's other windows, keys and plugins; also in a terminal.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local Client = require("listd.client")
local files = require("listd.files")
local listd = require("listd")
local maps = require("listd.maps")

local settle, go = T.settle, T.go
local here = debug.getinfo(1, "S").source:sub(2):gsub("Tests/clients/neovim/[^/]*$", "")
here = here == "" and vim.fn.getcwd() .. "/" or vim.fn.fnamemodify(here, ":p")

T.test("options stay with the list's window", function()
  vim.cmd("enew")
  local view = listd.view("options", {})
  T.equal(vim.api.nvim_buf_get_name(view.buf), "listd://options")
  for _ = 1, 2 do
    vim.api.nvim_set_current_buf(view.buf)
    T.equal({ vim.wo.signcolumn, vim.go.signcolumn, vim.wo.wrap, vim.go.wrap }, { "yes", "auto", false, true })
    vim.cmd("edit " .. vim.fn.tempname())
    T.equal({ vim.wo.signcolumn, vim.wo.wrap }, { "auto", true })
    vim.cmd("new")
    T.equal({ vim.wo.signcolumn, vim.wo.wrap }, { "auto", true })
  end
  vim.cmd("only")
end)

T.test("closing a list shows what was there before, in every window", function()
  local before = vim.fn.tempname()
  vim.cmd("edit " .. before)
  local buf = vim.api.nvim_get_current_buf()
  vim.cmd("vsplit")
  local dir = T.folder({ a = 1 })
  local view = files.open(dir)
  settle(view)
  vim.api.nvim_feedkeys("q", "x", false)
  T.equal(#vim.api.nvim_tabpage_list_wins(0), 2)
  T.equal(vim.api.nvim_get_current_buf(), buf)
  T.equal(vim.api.nvim_buf_is_valid(view.buf), false)
  vim.cmd("only")
end)

T.test("messages: one line, and each once", function()
  local got, notify = {}, vim.notify
  vim.notify = function(text)
    got[#got + 1] = text
  end
  listd.setup({ cmd = "/nowhere/listd" })
  listd.stop()
  local dir = T.folder({ a = 1 })
  local view = files.open(dir)
  for i = 1, 3 do
    T.write(dir .. "/file" .. i, i)
    vim.wait(120)
  end
  vim.api.nvim_feedkeys(" ", "x", false)
  vim.notify = notify
  listd.setup({})
  T.equal(#got, 1, vim.inspect(got))
  assert(#got[1] <= 80 and not got[1]:find("\n"), got[1])
  T.equal(view.count, 0)
  view:refresh()
  T.wait("the daemon", function()
    return view.count == 4
  end)
  vim.api.nvim_buf_delete(view.buf, { force = true })
end)

T.test("a key in a list whose daemon has died starts another", function()
  local view = listd.view("dies", {})
  vim.api.nvim_set_current_buf(view.buf)
  view:apply({ items = { "a", "b" } })
  settle(view)
  local got, notify, client = {}, vim.notify, view.client
  vim.notify = function(text)
    got[#got + 1] = text
  end
  client.handle:kill("sigkill")
  T.wait("the end", function()
    return client.ended
  end)
  vim.wait(150)
  go(2)
  vim.api.nvim_feedkeys(" ", "x", false)
  settle(view)
  vim.api.nvim_feedkeys(" ", "x", false)
  vim.notify = notify
  T.equal(view:selected(), { "b" })
  T.equal(T.lines(view.buf), { "a", "b" })
  T.equal(#got, 2, vim.inspect(got))
end)

T.test("the daemon's build is found through a link to the plugin", function()
  local dir = vim.fn.tempname()
  vim.fn.mkdir(dir .. "/checkout/clients", "p")
  vim.fn.mkdir(dir .. "/checkout/.build/release", "p")
  vim.fn.mkdir(dir .. "/pack/start", "p")
  local build = dir .. "/checkout/.build/release/listd"
  vim.fn.system({ "cp", "-r", here .. "clients/neovim", dir .. "/checkout/clients/" })
  vim.fn.writefile({ "#!/bin/sh" }, build)
  vim.fn.system({ "chmod", "+x", build })
  vim.fn.system({ "ln", "-s", dir .. "/checkout/clients/neovim", dir .. "/pack/start/listd" })
  local found = vim.fn.system({
    "env", "-u", "LISTD", "PATH=/usr/bin:/bin", vim.v.progpath, "--headless", "--clean", "-n",
    "--cmd", "set rtp^=" .. dir .. "/pack/start/listd",
    "-c", [[lua io.stdout:write(select(2, require("listd.client").find()))]], "-c", "qall!",
  })
  T.equal(found, "the build folder, " .. build)
end)

T.test("items, headers and parts under the cursor", function()
  local view = listd.view("things", { templates = { Header = "# {text}" } })
  vim.api.nvim_set_current_buf(view.buf)
  view:apply({
    sections = {
      { id = "one", header = "One", selectionMode = "multiple", items = { "a", { id = "b", text = "B" } } },
      { id = 2, header = "Two", items = { { id = "c", n = 3, parts = { { id = "x", text = "X" } } } } },
    },
  })
  settle(view)
  T.equal(T.lines(view.buf), { "# One", "a", "B", "# Two", "X" })
  local item, place = view:at(2)
  T.equal(item, { id = "b", text = "B" })
  T.equal({ place.id, place.section, place.at }, { "b", "one", { 0, 1 } })
  item, place = view:at(3)
  T.equal({ item, place.section, place.header }, { nil, 2, true })
  item, place = view:at(4)
  T.equal({ item, place.part, place.section }, { { id = "c", n = 3 }, { id = "x", text = "X" }, 2 })
  local done = {}
  local function act(items, at)
    done[#done + 1] = { items, at and at.section }
  end
  go(2)
  settle(view)
  T.equal(view:item(), "a")
  view:act(act)
  view:select("toggle")
  go(3)
  view:select("toggle")
  view:act(act)
  view:select("none")
  go(4)
  view:act(act)
  settle(view)
  T.equal(done, { { { "a" }, "one" }, { { "a", { id = "b", text = "B" } }, "one" }, { {}, 2 } })
end)

T.test("an author's actions, keys and highlights", function()
  local done = {}
  local view = listd.view("author", {
    maps = { toggle = "m", all = false, open = { "o", "<CR>" } },
    actions = {
      stage = { function(view)
        view:act(function(items)
          done[#done + 1] = items
        end)
      end, "stage the file", "s" },
      fail = { function()
        error("it fails")
      end, "fail", "X" },
    },
    highlights = { { "^M/.*", "WarningMsg" } },
    on_open = function(item, how)
      done[#done + 1] = how .. " " .. item
    end,
  })
  vim.api.nvim_set_current_buf(view.buf)
  view:apply({ items = { "M/x", "y" } })
  settle(view)
  go(2)
  for _, key in ipairs({ "o", "s" }) do
    vim.api.nvim_feedkeys(key, "x", false)
    settle(view)
  end
  T.equal(done, { "edit y", { "y" } })
  T.equal(vim.fn.maparg("a", "n"), "")
  T.equal(vim.fn.maparg("<Space>", "n"), "")
  local function group(line)
    return vim.fn.synIDattr(vim.fn.synID(line, 1, 1), "name")
  end
  T.equal({ group(1), group(2) }, { "WarningMsg", "" })
  local got, notify = {}, vim.notify
  vim.notify = function(text)
    got[#got + 1] = text
  end
  vim.wait(150)
  vim.api.nvim_feedkeys("X", "x", false)
  vim.notify = notify
  assert(#got == 1 and got[1]:find("it fails") and not got[1]:find("\n"), vim.inspect(got))
  maps.run(view, "refresh")
  T.equal(pcall(maps.run, view, "nothing"), false)
end)

T.test("whether there is a daemon, and how to get one", function()
  vim.cmd("ListdInstall")
  local text = table.concat(T.lines(0), "\n")
  assert(text:find("It answers: listd %d.*All is well") and not text:find("dpkg"), text)
  vim.cmd("bwipeout")
  for cmd, problem in pairs({ ["/nowhere/listd"] = "there is no listd to run", ["true"] = "does not answer" }) do
    listd.setup({ cmd = cmd })
    vim.cmd("ListdInstall")
    text = table.concat(T.lines(0), "\n")
    assert(text:find(problem, 1, true) and text:find("dpkg"), text)
    vim.cmd("bwipeout")
  end
  -- Programs that answer, but are old, newer, or others.
  local name = '"serverInfo":{"name":"listd","version":"0.0.9"}'
  for result, problem in pairs({
    ["{" .. name .. ',"protocolVersion":1,"capabilities":{"features":["compose.view.match","references.line"]}}'] =
      "it is too old: it lacks compose.view.tree, locate.match",
    ["{" .. name .. ',"protocolVersion":1}'] = "it is too old",
    ["{" .. name .. ',"protocolVersion":2}'] = "it speaks protocol 2, this client 1",
    ['{"capabilities":{}}'] = "is another program, not listd",
    ['"hello"'] = "is another program, not listd",
  }) do
    listd.setup({ cmd = { "sh", "-c", "read -r line; printf '%s\\n' \"$0\"; exec cat >/dev/null",
      '{"jsonrpc":"2.0","id":1,"result":' .. result .. "}" } })
    vim.cmd("ListdInstall")
    text = table.concat(T.lines(0), "\n")
    assert(text:find("Problem: .*" .. vim.pesc(problem)) and text:find("dpkg"), text)
    vim.cmd("bwipeout")
  end
  listd.setup({})
end)

T.test("in a terminal: keys at once, the leader, no prompts when the daemon dies", function()
  local dir = T.folder({ apple = 1, banana = 2, cherry = 3 })
  local daemon = vim.env.LISTD or Client.find()[1]
  local terminal = T.terminal(table.concat({
    "cd", dir, "&&", vim.v.progpath, "--clean -n --cmd 'let mapleader=\" \"'",
    "--cmd 'nnoremap <leader>ff :let g:fired = 1<CR>:echo \"fired\"<CR>'",
    "--cmd 'set rtp^=" .. here .. "clients/neovim'",
    "-c 'runtime plugin/listd.lua' -c ListdFiles",
  }, " "), { LISTD = daemon })
  local ok, why = pcall(function()
    terminal.wait("the files", function(screen)
      return screen:find("cherry  3B")
    end)
    for _, key in ipairs({ "j", " ", "f", "f" }) do -- not at once, or Neovim takes the longest map
      terminal.keys(key)
      vim.wait(100)
    end
    terminal.wait("the leader's map", function(screen)
      return screen:find("fired") and not screen:find("%* ")
    end)
    terminal.keys("V", "j", ":", "ListdSelect toggle", "Enter")
    terminal.wait("two marks", function(screen)
      return screen:find("%* banana") and screen:find("%* cherry")
    end)
    terminal.keys(":lua vim.loop.kill(require('listd').client().pid, 9)", "Enter")
    terminal.wait("the notice", function(screen)
      return screen:find("ended")
    end)
    T.write(dir .. "/damson", 4)
    terminal.wait("another daemon", function(screen)
      return screen:find("damson")
    end)
    assert(not terminal.screen():find("Press ENTER"), terminal.screen())
  end)
  terminal.close()
  if not ok then
    error(why, 0)
  end
end)

T.test("in a terminal: a missing daemon is reported without a hit-enter prompt", function()
  local dir = T.folder({ apple = 1 })
  local terminal = T.terminal(table.concat({
    "cd", dir, "&&", vim.v.progpath, "--clean -n --cmd 'set rtp^=" .. here .. "clients/neovim'",
    "-c 'runtime plugin/listd.lua'",
  }, " "), { LISTD = "/nowhere" .. ("/deeper"):rep(10) .. "/listd" })
  local ok, why = pcall(function()
    terminal.wait("Neovim", function(screen)
      return screen:find("\n~")
    end)
    terminal.keys(":ListdFiles", "Enter")
    local function said(screen)
      return screen:find("There is no listd to run", 1, true)
    end
    terminal.wait("the notice", said)
    T.write(dir .. "/banana", 2)
    vim.wait(300)
    assert(not terminal.wait("the screen", said):find("Press ENTER"), terminal.screen())
  end)
  terminal.close()
  if not ok then
    error(why, 0)
  end
end)

T.finish()
