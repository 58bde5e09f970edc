-- What must hold while a list changes under the person's hands, and when things go wrong.
-- Promise: In Neovim, Vim and Emacs a key acts on the row that its line showed, whatever arrives before the answer;
--   unloaded and narrowed buffers, callbacks that raise, silent daemons and equal names lose no list; marks and
--   cursors move with their row. Also `test_manners.lua`, `test_stays.vim`, `test_manners.vim`,
--   `listd-stays-tests.el`.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local Client = require("listd.client")
local files = require("listd.files")
local listd = require("listd")
local settle, go = T.settle, T.go
local snapshot, show, change = T.snapshot, T.show, T.change
local selected, marked, keys = T.selected, T.marked, T.keys

T.test("a key means the row that the line showed when it was pressed", function()
  local cases = {
    { "before it", { "0", "a", "b", "c" }, { "b" } },
    { "moved", { "c", "x", "a", "b" }, { "b" } },
    { "gone, another in its place", { "a", "x", "c" }, {} },
  }
  for _, case in ipairs(cases) do
    for _, known in ipairs({ true, false }) do
      local view = show({}, "a", "b", "c")
      vim.api.nvim_win_set_cursor(0, { 2, 0 })
      if known then
        go(2)
        settle(view)
      end
      view:apply(snapshot(unpack(case[2])))
      view:select("toggle")
      vim.api.nvim_win_set_cursor(0, { 3, 0 })
      settle(view)
      T.equal(selected(view), case[3], case[1])
    end
  end
end)

T.test("what is under the cursor is what the line showed, also headers and parts", function()
  local b = { id = "b", text = "B", parts = { { id = 1, text = "x" }, { id = 2, text = "y" } } }
  local function with(...)
    return { sections = { { id = "zero", items = { ... } }, { id = "one", header = "One", items = { "a", b } } } }
  end
  for line, wanted in pairs({ [0] = { "header", "one" }, { "a" }, { "b", 1 }, { "b", 2 } }) do
    for _, known in ipairs({ true, false }) do
      local view = show({})
      view:apply(with())
      settle(view)
      T.equal(T.lines(view.buf), { "One", "a", "x", "y" })
      vim.api.nvim_win_set_cursor(0, { line + 1, 0 })
      if known then
        go(line + 1)
        settle(view)
      end
      local got
      view:apply(with("0", "00"))
      view:item(function(item, place)
        got = place.header and { "header", place.section }
          or { type(item) == "table" and item.id or item, place.part and place.part.id }
      end)
      settle(view)
      T.equal(got, wanted, "line " .. line)
    end
  end
end)

T.test("keys that follow each other at once", function()
  local view = show({ templates = { Mark = "{selected:x|o} {name}" } },
    { id = 1, template = "Mark", name = "a" }, { id = 2, template = "Mark", name = "b" },
    { id = 3, template = "Mark", name = "c" })
  go(1)
  keys("<Space>j<Space>j<Space>k<Space>")
  local names = vim.tbl_map(function(item)
    return item.name
  end, selected(view))
  T.equal(names, { "a", "c" })
  settle(view)
  T.equal(T.lines(view.buf), { "x a", "o b", "x c" })
  T.equal(marked(view), { "x a", "x c" })
end)

T.test("a key is one request, and so is the cursor's movement", function()
  local view = show({}, "a", { id = "b", text = "b\nb" }, "c")
  local asked, request = {}, view.client.request
  view.client.request = function(client, method, ...)
    asked[#asked + 1] = method ~= "getLists" and method or nil
    return request(client, method, ...)
  end
  local function requests(does)
    asked = {}
    does()
    settle(view)
    return asked
  end
  T.equal(requests(function() go(3) end), { "select" })
  T.equal({ view.cursor, view.cursor_line }, { { 0, 1 }, 2 })
  T.equal(requests(function() go(2) end), { "select" })
  T.equal(requests(function() go(2) end), {})
  T.equal(requests(function() view:select("toggle") end), { "select", "locate" }, "and the lines of the mark")
  T.equal(requests(function() view:item() end), { "locate" })
  view.client.request = nil
  T.equal(selected(view), { { id = "b", text = "b\nb" } })
end)

T.test("the cursor stays on its line of a tall row, and is on the first line of another", function()
  local function tall(id, lines)
    local texts = {}
    for i = 1, lines do
      texts[i] = id .. i
    end
    return { id = id, text = table.concat(texts, "\n") }
  end
  local function changed(rows, wanted)
    local view = show({}, tall("a", 3), tall("b", 6), tall("c", 3), tall("d", 3))
    vim.fn.search("b5")
    T.go(vim.fn.line("."))
    settle(view)
    change(view, unpack(rows))
    T.equal(vim.api.nvim_get_current_line(), wanted)
    go(vim.fn.line("."))
    settle(view)
    view:select("toggle")
    settle(view)
    T.equal(selected(view)[1].id, wanted:sub(1, 1))
    view:close()
  end
  changed({ "0", tall("a", 1), tall("b", 6), tall("c", 3) }, "b5")
  changed({ tall("c", 3), tall("b", 7), tall("a", 3) }, "b5")
  changed({ tall("a", 3), tall("b", 4), tall("c", 3) }, "b4")
  changed({ tall("a", 3), tall("c", 3), tall("d", 3) }, "c1")
  changed({ tall("a", 3), tall("e", 6), tall("c", 3), tall("d", 3) }, "c1")
  changed({ tall("a", 3) }, "a1")
end)

T.test("what is collapsed has the cursor on the first line of the row above", function()
  local view = listd.view("tall outline", {})
  vim.api.nvim_set_current_buf(view.buf)
  view:ask("applySnapshot", { list = "tall tree", items = { { id = 1, text = "top\ntop, too" },
    { id = 2, text = "a\nb\nc", parent = 1 }, { id = 3, text = "other\nlines\nlines" } } })
  view:compose({ sources = { "tall tree" }, view = { tree = { parent = "parent" } } })
  settle(view)
  view:expand("all")
  settle(view)
  vim.fn.search("^c$")
  go(vim.fn.line("."))
  settle(view)
  view:expand("none")
  settle(view)
  T.equal(vim.api.nvim_get_current_line(), "top")
end)

T.test("the Visual area stays on its rows", function()
  local view = show({}, "a", "b", "c", "d", "e")
  go(3)
  vim.cmd("normal! Vj")
  change(view, "b", "c", "d", "e")
  T.equal({ vim.fn.line("v"), vim.fn.line(".") }, { 2, 3 })
  T.equal(vim.api.nvim_get_mode().mode, "V")
  change(view, "0", "1", "b", "c", "d", "e")
  T.equal({ vim.fn.line("v"), vim.fn.line(".") }, { 4, 5 })
  change(view, "e", "0", "c", "1", "d", "b")
  T.equal({ vim.fn.line("v"), vim.fn.line("."), vim.api.nvim_get_mode().mode }, { 3, 5, "V" })
  change(view, "0", "1", "b", "c", "d", "e")
  keys("<Space>")
  settle(view)
  T.equal(selected(view), { "c", "d" })
  T.equal(vim.api.nvim_get_mode().mode, "n")
end)

T.test("a view outlives :bdelete, :bunload and :edit", function()
  local dir = T.folder({ a = 1, b = 2, c = 3 })
  local said, notify = {}, vim.notify
  vim.notify = function(text)
    said[#said + 1] = text
  end
  for _, command in ipairs({ "bdelete", "bunload", "edit" }) do
    local view = files.open(dir)
    T.wait("files", function()
      return view.count >= 3
    end)
    go(2)
    view:select("toggle")
    settle(view)
    vim.v.errmsg = ""
    vim.cmd(command)
    T.write(dir .. "/after " .. command, 1)
    vim.wait(150)
    settle(view)
    T.equal({ vim.v.errmsg, said }, { "", {} })
    T.equal(vim.api.nvim_buf_is_loaded(view.buf), command == "edit", "it is loaded when it is shown")
    T.equal(files.open(dir), view)
    T.wait("the text", function()
      return view.count == #vim.fn.readdir(dir)
    end)
    settle(view)
    T.equal(#marked(view), 1, command)
    T.equal(vim.fn.maparg("R", "n") ~= "", true, "the keys")
    T.equal({ vim.bo.modifiable, vim.bo.buftype, vim.bo.buflisted }, { false, "nofile", true })
    T.equal(vim.wo.signcolumn, "yes")
    T.write(dir .. "/then " .. command, 1)
    T.wait("the next change", function()
      return view.count == #vim.fn.readdir(dir)
    end)
    view:select("none")
    settle(view)
  end
  vim.notify = notify
end)

T.test("what something else has changed in the buffer is mended by R and by the next change", function()
  local view = show({}, "a", "b", "c")
  go(2)
  view:select("toggle")
  settle(view)
  local function harm(command)
    vim.bo.modifiable = true
    vim.cmd(command)
    vim.bo.modifiable = false
  end
  for _, command in ipairs({ "%delete", "2substitute/b/x/", "1move 2" }) do
    harm(command)
    keys("R")
    settle(view)
    T.equal({ T.lines(view.buf), marked(view) }, { { "a", "b", "c" }, { "b" } }, command)
    harm(command)
    change(view, "a", "b", "d")
    T.equal({ T.lines(view.buf), marked(view) }, { { "a", "b", "d" }, { "b" } }, command)
    change(view, "a", "b", "c")
  end
end)

T.test("what is asked after a toggle knows of it", function()
  local view = show({}, "a", "b", "c")
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  local answer
  view:select("toggle")
  view:selected(function(items)
    answer = items
  end)
  settle(view)
  T.equal(answer, { "b" })
end)

T.test("a callback that raises harms nobody else", function()
  local notified = {}
  local client = assert(Client.start({
    on_error = function(why)
      notified[#notified + 1] = why
    end,
  }))
  local answers = {}
  for i = 1, 3 do
    client:request("getLists", {}, function(err, result)
      answers[i] = result
      error("callback " .. i)
    end)
  end
  T.wait("the answers", function()
    return answers[3]
  end)
  T.equal(#notified, 3)
  assert(notified[2]:find("callback 2"), notified[2])
  T.equal(next(client.pending), nil)
  client:close()
end)

T.test("every request is answered: what is not JSON, not UTF-8, or not in time", function()
  local view = show({}, "a")
  local answers = {}
  local function keep(err)
    answers[#answers + 1] = err
  end
  view:apply({ items = { "a", "caf\xe9" } }, keep)
  view:apply({ items = { { id = 1, text = "\xed\xa0\x80" } } }, keep)
  view:apply({ items = { { id = 1, call = print } } }, keep)
  settle(view)
  T.wait("the answers", function()
    return #answers == 3
  end)
  local got = table.concat(vim.tbl_map(function(err)
    return err.message
  end, answers), "\n")
  assert(got:find("/params/items/1 is not UTF-8: caf<e9>", 1, true), got)
  assert(got:find("/params/items/0/text is not UTF-8", 1, true), got)
  assert(got:find("/params/items/0/call is a function", 1, true), got)

  local client = assert(Client.start({ timeout = 100 }))
  client.handle:kill("sigstop")
  local late
  client:request("getLists", {}, function(err)
    late = err
  end)
  T.wait("the time limit", function()
    return late
  end)
  T.equal(late.timeout, true)
  client.handle:kill("sigcont")
  T.equal(client:request_sync("getLists", {}), { lists = {} })
  client:close()
end)

T.test("views with the same list or the same template names", function()
  local options = { templates = { Entry = "P<{text}>" } }
  local first = show(options, { id = 1, template = "Entry", text = "one" })
  local second = listd.view(first.list, { templates = { Entry = "Q<{text}>" } })
  second:apply({ items = { { id = 2, template = "Entry", text = "two" } } })
  settle(second)
  settle(first)
  T.equal(T.lines(first.buf), { "P<one>" })
  T.equal(T.lines(second.buf), { "Q<two>" })
  local third = listd.view("other", options)
  T.equal(third.client, first.client, "views that agree share a daemon")
  local own = listd.view("other", { namespace = "mine" })
  assert(own.client ~= first.client)
  local same = listd.view(first.list, options)
  same:apply({ items = { { id = 3, template = "Entry", text = "three" } } })
  settle(same)
  local another = listd.view("another", { templates = { Entry = "R<{text}>" } })
  another:apply({ items = { { id = 4, template = "Entry", text = "four" } } })
  settle(another)
  first:apply({ items = { { id = 5, template = "Entry", text = "five" } } })
  settle(first)
  T.equal({ T.lines(same.buf), T.lines(another.buf), T.lines(first.buf) }, { { "P<three>" }, { "R<four>" }, { "P<five>" } })
  for _, view in ipairs({ second, third, own, same, another }) do
    vim.api.nvim_buf_delete(view.buf, { force = true })
  end
  T.equal(T.lines(first.buf), { "P<five>" })
end)

T.test("done is called when the text is there", function()
  local view = listd.view("done", {})
  local seen = {}
  local function look(err)
    seen[#seen + 1] = err or table.concat(T.lines(view.buf))
  end
  view:apply({ items = { "a", "b" } }, look)
  view:apply({ items = { "a", "b" } }, look)
  view:apply({ items = { "b", "a" } }, look)
  view:apply({ items = { "c" } }, look)
  settle(view)
  T.equal(seen, { "ab", "ab", "ba", "c" })
end)

T.test("lines of one row, and rows of one item, are toggled once", function()
  local view = show({}, { id = "a", text = "1\n2\n3" },
    { id = "b", text = "", parts = { { id = 1, text = "x" }, { id = 2, text = "y" } } }, "c")
  go(2)
  keys("Vjj<Space>")
  T.equal(#selected(view), 2)
end)

T.test("an item on both sides of a slice's edge is toggled once, even if the list changes in between", function()
  local items = {}
  for i = 1, 520 do
    items[i] = { id = i, text = "row " .. i }
  end
  for _, row in ipairs({ { id = 500, text = "a\nb\nc" }, { id = 500, parts = { "a", "b", "c" } } }) do
    items[500] = row
    local view = show({}, unpack(items))
    go(1)
    keys("VG<Space>")
    view:edit_items({ { edit = "insertItems", items = { "new", "newer" }, before = 300 }, { edit = "deleteItems", items = { 7 } } })
    settle(view)
    T.equal(#selected(view), 519)
    T.equal(#T.marked(view), 521)
  end
end)

T.finish()
