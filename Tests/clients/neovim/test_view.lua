-- Lists with headers, rows of several lines and marks in the text, changed from several sides.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local edits = require("listd.edits")
local listd = require("listd")

T.test("edits: 300 random ones, bottom up, as the plainest way does them", function()
  math.randomseed(7)
  local words = { "a", "b", "é", "è", "日本", "日", "" }
  local function line()
    return words[math.random(#words)] .. words[math.random(#words)]
  end
  local buf = vim.api.nvim_create_buf(false, true)
  local text = {}
  for _ = 1, 300 do
    local changes, wanted, at = {}, {}, 0
    while at <= #text do
      local first = at + math.random(0, 3)
      if first > #text then
        break
      end
      local last = math.min(#text, first + math.random(0, 3))
      local lines = {}
      for i = 1, math.random(first == last and 1 or 0, #text > 40 and 1 or 3) do
        lines[i] = line()
      end
      changes[#changes + 1] = { first = first, last = last, lines = lines }
      at = last + 1
    end
    at = 0
    for _, edit in ipairs(changes) do
      vim.list_extend(wanted, text, at + 1, edit.first)
      vim.list_extend(wanted, edit.lines)
      at = edit.last
    end
    vim.list_extend(wanted, text, at + 1, #text)
    local count = edits.apply(buf, #text, changes)
    T.equal(count, #wanted)
    T.equal(T.lines(buf), #wanted > 0 and wanted or { "" })
    local between = edits.between(text, wanted)
    T.equal(#between <= 1, true)
    text = wanted
  end
end)

local settle, go = T.settle, T.go

local view = listd.view("mail", { templates = { Mail = "{selected:[x]|[ ]} {from}\n    {subject}" } })
vim.api.nvim_set_current_buf(view.buf)

local function mail(id, from, subject)
  return { id = id, template = "Mail", from = from, subject = subject }
end
local ann, bob, eve = mail(1, "Ann", "Über"), mail(2, "Bob", "日本"), mail(3, "Eve", "Keys")
local function show(...)
  view:apply({
    sections = { { id = "new", header = "New", selectionMode = "multiple", items = { ... } } },
  })
  settle(view)
end

T.test("headers and rows of several lines", function()
  show(ann, bob)
  T.equal(T.lines(view.buf), { "New", "[ ] Ann", "    Über", "[ ] Bob", "    日本" })
end)

T.test("a selected row is marked in all its lines, and its text is edited where it differs", function()
  go(4)
  settle(view)
  local touched = T.touched(view.buf)
  view:select("toggle")
  settle(view)
  T.equal(T.lines(view.buf)[4], "[x] Bob")
  T.equal(touched.ranges, { { 3, 4, 4 } })
  local space = vim.api.nvim_create_namespace("listd")
  local marks = vim.api.nvim_buf_get_extmarks(view.buf, space, 0, -1, {})
  T.equal({ marks[1][2], marks[2][2], #marks }, { 3, 4, 2 })
end)

T.test("a header is no row", function()
  go(1)
  view:select("toggle")
  settle(view)
  T.equal(T.lines(view.buf)[1], "New")
  T.equal(view.selection.text, '[{"at":[0,1],"count":1}]')
end)

T.test("the cursor stays on its line of its row", function()
  go(5)
  settle(view)
  show(eve, mail(4, "Zoe", "Z"), bob, ann)
  T.equal(T.lines(view.buf)[6], "[x] Bob")
  T.equal(vim.fn.line("."), 7)
end)

T.test("who else changes the list or its cursor is seen here", function()
  view.client:request("select", { list = "mail", cursor = 3 })
  settle(view)
  T.equal(vim.api.nvim_get_current_line(), "[ ] Eve")
  view.client:request("editSnapshot", {
    list = "mail",
    edits = { { edit = "deleteItems", items = { 4 } } },
  })
  settle(view)
  T.equal(#T.lines(view.buf), 7)
  T.equal(vim.api.nvim_get_current_line(), "[ ] Eve")
  view.client:request("registerTemplates", { templates = { Mail = "{from}: {subject}" } })
  settle(view)
  T.equal(T.lines(view.buf), { "New", "Eve: Keys", "Bob: 日本", "Ann: Über" })
  T.equal(vim.api.nvim_get_current_line(), "Eve: Keys")
end)

T.test("a text that was missed is read again", function()
  view.text_revision = view.text_revision - 1
  show(bob, eve, ann)
  T.equal(T.lines(view.buf), { "New", "Bob: 日本", "Eve: Keys", "Ann: Über" })
  T.equal(vim.api.nvim_get_current_line(), "Eve: Keys")
end)

T.test("an error is reported with its code and data", function()
  local err
  view:apply({ items = { { id = 1 }, { id = 1 } } }, function(why)
    err = why
  end)
  settle(view)
  T.equal(err.code, -31004)
  T.equal(#err.data.duplicates, 1)
end)

T.test("an answer that Neovim cannot read is an error, and the next one an answer", function()
  local answers = {}
  local function keep(err, result)
    answers[#answers + 1] = err or result
  end
  view.client.stdin:write('{"jsonrpc":"2.0","method":"applySnapshot","params":'
    .. '{"list":"odd","items":["\\ud800"]}}\n')
  view.client:request("getSnapshot", { list = "odd" }, keep)
  view.client:request("removeList", { list = "odd" }, keep)
  settle(view)
  assert(answers[1].message:find("no JSON"), vim.inspect(answers))
  T.equal(answers[2], nil)
end)

T.test("a list that is removed leaves nothing", function()
  view.client:request("removeList", { list = "mail" })
  settle(view)
  T.equal(T.lines(view.buf), { "" })
  show(ann)
  T.equal(T.lines(view.buf), { "New", "Ann: Über" })
end)

T.test("an outline is expanded and collapsed", function()
  local awaited = {}
  local tree = listd.view("tree", {
    templates = { Node = "{indent:  }{expanded:-|+| }{id}" },
    on_expand = function(_, items)
      vim.list_extend(awaited, items)
    end,
  })
  vim.api.nvim_set_current_buf(tree.buf)
  local function node(id, up, lazy)
    return { id = id, up = up, lazy = lazy, template = "Node" }
  end
  local items = { node("a"), node("b", "a"), node("c", "b"), node("d", nil, true) }
  tree.client:request("applySnapshot", { list = "nodes", items = items }, function() end)
  tree:compose({ sources = { "nodes" }, view = { tree = { parent = "up" } } })
  local function expect(line, what, deep, wanted)
    if line then
      vim.api.nvim_win_set_cursor(0, { line, 0 })
    end
    if what then
      tree:expand(what, deep)
    end
    T.wait(table.concat(wanted, " "), function()
      return vim.deep_equal(T.lines(tree.buf), wanted)
    end)
  end
  expect(nil, nil, nil, { "+a", "+d" })
  expect(1, "toggle", nil, { "-a", "  +b", "+d" })
  expect(2, "toggle", nil, { "-a", "  -b", "     c", "+d" })
  expect(1, "collapse", true, { "+a", "+d" })
  expect(2, "expand", nil, { "+a", "-d" })
  expect(nil, "all", nil, { "-a", "  -b", "     c", "-d" })
  T.equal(awaited, { "d" })
  expect(nil, "none", nil, { "+a", "-d" })
  tree.client:request("removeList", { list = "nodes" }, function() end)
  settle(tree)
  vim.cmd("bwipeout")
end)

T.test("the log, the health check, the end", function()
  listd.show_log()
  T.equal(T.lines(0)[1]:match('^→ .*"initialize"') ~= nil, true)
  vim.cmd("bwipeout")
  vim.cmd("checkhealth listd")
  local report = table.concat(T.lines(0), "\n")
  for _, wanted in ipairs({ "Neovim is 0.7", "is found by %$LISTD", "It answers: listd", "version 1" }) do
    assert(report:find(wanted), report)
  end
  assert(not report:find("ERROR"), report)
  local client = listd.client()
  listd.stop()
  T.wait("the end", function()
    return client.ended
  end)
  T.equal(client.ended, "listd has ended (exit code 0)")
end)

T.test("text edits that are decoded in parts are those of the JSON text", function()
  math.randomseed(3)
  local parts = { "a", "\\", "\\n", '"', '},{"range":', "é", "日本", "\t", "\\\\", '"}],"moves":', "" }
  local longest, paused = 0, 0
  for round = 1, 60 do
    local all, json = {}, {}
    for line = 0, math.random(4) do
      local new = {}
      for i = 1, math.random(0, round % 10 == 0 and 9000 or 5) do
        new[i] = parts[math.random(#parts)] .. parts[math.random(#parts)] .. "\n"
      end
      local text = table.concat(new)
      all[line + 1] = { range = { start = { line = line }, ["end"] = { line = line + 1 } }, newText = text }
      json[line + 1] = string.format('{"range":{"start":{"line":%d},"end":{"line":%d}},"newText":%s}', line, line + 1,
        vim.json.encode(text))
    end
    local text = "[" .. table.concat(json, ",") .. "]"
    T.equal(edits.read_json(text, function()
      paused = paused + 1
    end), edits.read(all))
    longest = math.max(longest, #text)
  end
  assert(longest > 100000 and paused > 100, longest .. " bytes, " .. paused .. " pauses")
end)

T.finish()
