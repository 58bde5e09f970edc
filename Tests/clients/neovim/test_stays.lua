-- What must hold while a list changes under the person's hands, and when things go wrong.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local Client = require("listd.client")
local files = require("listd.files")
local listd = require("listd")
local space = vim.api.nvim_create_namespace("listd")
local foreign = vim.api.nvim_create_namespace("somebody")
local settle, go = T.settle, T.go
local opened = 0
local function snapshot(...)
  return { sections = { { id = "s", selectionMode = "multiple", items = { ... } } } }
end

--- A view of these items, in the current window.
local function show(options, ...)
  opened = opened + 1
  local view = listd.view("list" .. opened, options)
  vim.api.nvim_set_current_buf(view.buf)
  view:apply(snapshot(...))
  settle(view)
  return view
end

local function change(view, ...)
  view:apply(snapshot(...))
  settle(view)
end

local function selected(view)
  local items = view:selected()
  return items
end

local function marked(view)
  local lines, text = {}, T.lines(view.buf)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(view.buf, space, 0, -1, {})) do
    lines[#lines + 1] = text[mark[2] + 1]
  end
  return lines
end

local function keys(text)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(text, true, false, true), "x", false)
end

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

T.test("the Visual area stays on its rows", function()
  local view = show({}, "a", "b", "c", "d", "e")
  go(3)
  vim.cmd("normal! Vj")
  change(view, "b", "c", "d", "e")
  T.equal({ vim.fn.line("v"), vim.fn.line(".") }, { 2, 3 })
  T.equal(vim.api.nvim_get_mode().mode, "V")
  change(view, "0", "1", "b", "c", "d", "e")
  T.equal({ vim.fn.line("v"), vim.fn.line(".") }, { 4, 5 })
  keys("<Space>")
  settle(view)
  T.equal(selected(view), { "c", "d" })
  T.equal(vim.api.nvim_get_mode().mode, "n")
end)

T.test("a view outlives :bdelete, :bunload and :edit", function()
  local dir = T.folder({ a = 1, b = 2, c = 3 })
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
    T.equal(vim.v.errmsg, "")
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
  for _, view in ipairs({ second, third, own }) do
    vim.api.nvim_buf_delete(view.buf, { force = true })
  end
  T.equal(T.lines(first.buf), { "P<one>" })
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

T.test("a row that moves takes along its mark, foreign extmarks, folds and cursors", function()
  local rows = {}
  for i = 1, 30 do
    rows[i] = "row " .. i
  end
  local view = show({}, unpack(rows))
  go(20)
  view:select("toggle")
  settle(view)
  local extmark = vim.api.nvim_buf_set_extmark(view.buf, foreign, 19, 2, {})
  vim.cmd("split")
  go(5)
  settle(view)
  vim.cmd("wincmd j")
  T.equal(vim.fn.line("."), 20)
  vim.cmd("wincmd k")
  table.insert(rows, 1, table.remove(rows, 20))
  table.insert(rows, 30, table.remove(rows, 8))
  local at_once
  view.options.on_change = function()
    at_once = marked(view)
  end
  change(view, unpack(rows))
  view.options.on_change = nil
  T.equal(T.lines(view.buf), rows)
  T.equal(at_once, { "row 20" }, "no flicker")
  T.equal(marked(view), { "row 20" })
  T.equal(vim.api.nvim_buf_get_extmark_by_id(view.buf, foreign, extmark, {}), { 0, 2 })
  T.equal(vim.api.nvim_get_current_line(), "row 5")
  vim.cmd("wincmd j")
  T.equal(vim.api.nvim_get_current_line(), "row 20")
  vim.cmd("only")
end)

T.test("moves: 200 random orders and texts, with marks", function()
  math.randomseed(11)
  local rows = {}
  for i = 1, 12 do
    rows[i] = { id = i, text = "row " .. i .. (i % 3 == 0 and "\nmore" or "") }
  end
  local view = show({}, unpack(rows))
  local marks = {}
  for line, text in ipairs(T.lines(view.buf)) do
    local id = tonumber(text:match("^row (%d+)"))
    if id then
      marks[id] = vim.api.nvim_buf_set_extmark(view.buf, foreign, line - 1, 1, {})
    end
  end
  for round = 1, 200 do
    for _ = 1, math.random(4) do
      local row = table.remove(rows, math.random(#rows))
      if math.random(3) == 1 then
        row = { id = row.id, text = row.text:gsub("^row %d+ ?%d*", "row " .. row.id .. " " .. round) }
      end
      table.insert(rows, math.random(#rows + 1), row)
    end
    change(view, unpack(rows))
    local wanted = {}
    for _, row in ipairs(rows) do
      local mark = vim.api.nvim_buf_get_extmark_by_id(view.buf, foreign, marks[row.id], {})
      T.equal(mark[1], #wanted, "round " .. round .. ", row " .. row.id)
      vim.list_extend(wanted, vim.split(row.text, "\n"))
    end
    T.equal(T.lines(view.buf), wanted, "round " .. round)
  end
end)

T.test("a row that moves and gets another text keeps its mark, its fold and the other window's cursor", function()
  local rows = {}
  for i = 1, 10 do
    rows[i] = { id = i, text = "row " .. i }
  end
  rows[2].text = "row 2\nmore"
  local view = show({}, unpack(rows))
  go(2)
  view:select("toggle")
  settle(view)
  vim.cmd("2,3fold")
  vim.cmd("split")
  go(8)
  settle(view)
  table.insert(rows, table.remove(rows, 2))
  rows[10] = { id = 2, text = "another name\nless" }
  local at_once
  view.options.on_change = function()
    at_once = marked(view)
  end
  change(view, unpack(rows))
  T.equal(at_once, { "another name", "less" }, "no flicker")
  T.equal(vim.api.nvim_get_current_line(), "row 7")
  vim.cmd("wincmd j")
  T.equal(vim.api.nvim_get_current_line(), "another name")
  T.equal({ vim.fn.foldclosed(10), vim.fn.foldclosedend(10) }, { 10, 11 })
  vim.cmd("only")
end)

T.test("lines of one row, and rows of one item, are toggled once", function()
  local view = show({}, { id = "a", text = "1\n2\n3" },
    { id = "b", text = "", parts = { { id = 1, text = "x" }, { id = 2, text = "y" } } }, "c")
  go(2)
  keys("Vjj<Space>")
  T.equal(#selected(view), 2)
end)

T.test("a change of one line does not mark all the others again", function()
  local items = {}
  for i = 1, 4000 do
    items[i] = { id = i, text = "row " .. i }
  end
  local view = show({}, unpack(items))
  local odd = {}
  for i = 1, 4000, 2 do
    odd[#odd + 1] = i
  end
  view.client:request("select", { list = view.list, action = "replace", items = odd })
  settle(view)
  T.wait("all marks", function()
    return #marked(view) == 2000
  end)
  local set, api = 0, vim.api.nvim_buf_set_extmark
  vim.api.nvim_buf_set_extmark = function(...)
    set = set + 1
    return api(...)
  end
  local asked, request = 0, view.client.request
  view.client.request = function(client, method, params, done)
    asked = asked + #vim.json.encode(params)
    return request(client, method, params, done)
  end
  local function edit(item)
    view:edit_items({ { edit = "updateItems", items = { item } } })
    settle(view)
  end
  edit({ id = 7, text = "seven" })
  edit({ id = 8, text = "eight" })
  go(12)
  view:select("toggle")
  settle(view)
  vim.api.nvim_buf_set_extmark, view.client.request = api, nil
  T.equal(#marked(view), 2001)
  assert(set <= 3, set .. " marks")
  assert(asked < 2000, asked .. " bytes")
end)

T.test("selections from elsewhere: single rows, parts, templates that show them or not", function()
  local view = show({ templates = { Box = "{selected:x|o} {text}" } }, "a",
    { id = "b", template = "Box", text = "b" }, { id = "c", text = "c", parts = { "1", "2" } }, "d")
  view:select("all")
  settle(view)
  T.equal(marked(view), { "a", "x b", "1", "2", "d" })
  view.client:request("select", { list = view.list, action = "deselect", items = { "c", "b" } })
  settle(view)
  T.equal(marked(view), { "a", "d" })
  view:apply({ items = { "a", "d", "e" }, selected = { "e" } })
  settle(view)
  T.equal(marked(view), { "e" })
end)

T.finish()
