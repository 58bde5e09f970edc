-- A list of a daemon that other programs use, too: the option `connect`.
-- Promise: In Neovim, Vim and Emacs a shared list follows other clients, and survives its buffer. Also
--   `test_shared.vim`, `listd-shared-tests.el`.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local listd = require("listd")

local program = vim.env.LISTD or "listd"
local socket = vim.fn.tempname()
vim.env.LISTD_SOCKET = socket
vim.o.shell = "/bin/bash"

local function run(words)
  local out = vim.fn.system(program .. " " .. words)
  T.equal(vim.v.shell_error, 0, out)
  return out
end

local view

T.test("without a daemon it is said which socket was tried", function()
  listd.setup({ connect = socket })
  local client = listd.client()
  T.wait("the end", function()
    return client.ended
  end)
  assert(client.ended:find("no listd listens at " .. socket, 1, true), client.ended)
end)

T.test("what another program sets is shown, and the cursor stays on its row", function()
  run("connect --start " .. socket .. " --exit-when-idle 20 </dev/null")
  run("set jobs --key-field 1 <<<$'1 build\\n2 test\\n3 lint'")
  view = listd.view("jobs", {})
  vim.api.nvim_set_current_buf(view.buf)
  T.wait("the list", function()
    return T.lines(view.buf)[3] == "3 lint"
  end)
  T.settle(view)
  T.go(2)
  T.settle(view)
  run("set jobs --key-field 1 <<<$'4 new\\n3 lint\\n2 test, failed'")
  T.wait("the change", function()
    return T.lines(view.buf)[1] == "4 new"
  end)
  T.settle(view)
  T.equal(T.lines(view.buf), { "4 new", "3 lint", "2 test, failed" })
  T.equal(vim.api.nvim_get_current_line(), "2 test, failed")
end)

T.test("what is done in the editor is seen by others", function()
  view:apply({ items = { { id = 5, text = "mine" } } })
  T.settle(view)
  T.equal(run("get jobs --text"), "mine\n")
end)

T.test("a key means its row though another program changes the list", function()
  run("set jobs --key-field 1 <<<$'1 build\\n2 test\\n3 lint'")
  T.wait("the list", function()
    return #T.lines(view.buf) == 3
  end)
  T.settle(view)
  T.go(1)
  local got
  -- The change is done before the answer, and heard of after the question.
  run("set jobs --key-field 1 <<<$'3 lint\\n1 build'")
  view:act(function(items)
    got = items
  end)
  T.wait("the answer", function()
    return got
  end)
  T.equal(got[1].id, "1")
  T.settle(view)
  local lists = view.client:request_sync("getLists", {})
  T.equal(#lists.lists, 1, "lists")
end)

T.test("closing the view leaves the list to others", function()
  vim.cmd("bwipeout")
  T.equal(run("get jobs --text"), "3 lint\n1 build\n")
  listd.stop()
  local client = listd.client()
  T.wait("an answer", function()
    return client.server
  end)
  listd.stop()
  T.wait("the end", function()
    return client.ended
  end)
  T.equal(run("get jobs --text"), "3 lint\n1 build\n", "the daemon goes on")
end)

-- The lists of a folder's files, without those of other Neovims.
local function lists_of(pid)
  local found = {}
  for _, list in ipairs(listd.client():request_sync("getLists", {}).lists) do
    found[#found + 1] = list.list:match("^files of " .. pid .. "%..*")
  end
  table.sort(found)
  return found
end

T.test("a folder's lists go with its buffer, and its view with a Neovim that is killed", function()
  local dir = T.folder({ apple = 1 })
  local shown = require("listd.files").open(dir)
  T.wait("the files", function()
    return T.lines(shown.buf)[1] == "apple  1B"
  end)
  T.settle(shown)
  T.equal(#lists_of(vim.fn.getpid()), 2)
  vim.cmd("bwipeout")
  T.equal(lists_of(vim.fn.getpid()), {})
  local other = vim.fn.jobstart({
    "nvim", "--headless", "--clean", "-n", "--cmd", "set rtp^=clients/neovim",
    "-c", 'lua require("listd").setup({ connect = vim.env.LISTD_SOCKET })',
    "-c", 'lua require("listd.files").open("' .. dir .. '")',
  })
  local pid, lists = vim.fn.jobpid(other), nil
  T.wait("the view", function()
    lists = lists_of(pid)
    return #lists == 2
  end)
  vim.loop.kill(pid, "sigkill")
  T.wait("its end", function()
    return vim.deep_equal(lists_of(pid), { lists[1] }) -- the daemon goes on to follow the folder
  end)
  T.equal(lists[2], lists[1] .. ": " .. dir)
end)

T.test("a daemon that has no temporary lists gets none", function()
  listd.stop()
  local log = vim.fn.tempname()
  listd.setup({ cmd = { "sh", "-c", program .. " | sed -u s/compose.temporary/another/" }, log = log })
  local shown = require("listd.files").open(T.folder({ apple = 1 }))
  T.wait("the files", function()
    return T.lines(shown.buf)[1] == "apple  1B"
  end)
  vim.cmd("bwipeout")
  listd.stop()
  T.wait("the end", function()
    return shown.client.ended
  end)
  local sent = table.concat(vim.fn.readfile(log))
  assert(sent:find('"compose"', 1, true) and not sent:find('"temporary"', 1, true), sent)
end)

T.finish()
