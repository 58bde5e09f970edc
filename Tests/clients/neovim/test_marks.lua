-- Rows that move, with what belongs to them, and the marks of selected rows.
-- Promise: In Neovim, Vim and Emacs a change in a list with many selected rows decodes few of them, and after a
--   shuffle rows, marks and cursor are right. Also `test_marks.vim`, `listd-selection-tests.el`.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local Selection = require("listd.selection")
local foreign = vim.api.nvim_create_namespace("somebody")
local settle, go = T.settle, T.go
local show, change, marked = T.show, T.change, T.marked

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

T.test("rows move out of closed folds and into them alone", function()
  local view = show({}, "a", "b", "c", "d", "e", "f", "g")
  vim.cmd("2,4fold")
  go(7)
  settle(view)
  change(view, "a", "b", "d", "e", "f", "c", "g")
  T.equal(T.lines(view.buf), { "a", "b", "d", "e", "f", "c", "g" })
  T.equal({ vim.fn.foldclosed(2), vim.fn.foldclosedend(2), vim.wo.foldenable }, { 2, 3, true })
  change(view, "a", "b", "f", "d", "e", "c", "g")
  T.equal(T.lines(view.buf), { "a", "b", "f", "d", "e", "c", "g" })
  T.equal(vim.api.nvim_get_current_line(), "g")
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
  local decoded, decode = 0, vim.json.decode
  vim.json.decode = function(text, ...)
    decoded = decoded + #text
    return decode(text, ...)
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
  vim.api.nvim_buf_set_extmark, view.client.request, vim.json.decode = api, nil, decode
  T.equal(#marked(view), 2001)
  assert(set <= 3, set .. " marks")
  assert(asked < 2000, asked .. " bytes")
  assert(decoded < 10000, decoded .. " bytes")
end)

T.test("many lines are selected in slices, each row once, before what is asked next", function()
  local rows = { "first" }
  for i = 1, 1500 do
    rows[i + 1] = { id = i, text = "row " .. i .. "\nmore" }
  end
  local view = show({}, unpack(rows))
  local most, request = 0, view.client.request
  view.client.request = function(client, method, params, done)
    most = math.max(most, #vim.json.encode(params))
    return request(client, method, params, done)
  end
  local function count(action, first, last)
    view:select_lines(action, first, last)
    return #view:selected()
  end
  T.equal(count("toggle", 1, 3000), 1500)
  T.equal(count("toggle", 2, 2000), 500)
  T.equal(count("select", 0, 3000), 1501)
  T.equal(count("replace", 101, 3000), 1450)
  T.equal(count("deselect", 0, 2998), 1)
  T.equal(count("extend", 1, 2000), 501)
  view.client.request = nil
  assert(most < 40000, most .. " bytes")
  settle(view)
  T.equal(#marked(view), 1002)
end)

T.test("selections: 300 random ones, as the plainest way reads them", function()
  math.randomseed(3)
  local function random(most)
    local rows, ranges = {}, {}
    for section = 0, 2 do
      local row = math.random(0, 3)
      while row < most do
        local count = math.random(4) == 1 and math.random(12) or 1
        ranges[#ranges + 1] = { at = { section, row }, count = count }
        for i = row, row + count - 1 do
          rows[section .. " " .. i] = true
        end
        row = row + count + math.random(3)
      end
    end
    return Selection.of({ selection = ranges }), ranges, rows
  end
  local function names(ranges)
    local found = {}
    for _, range in ipairs(ranges) do
      for i = 0, range.count - 1 do
        found[#found + 1] = range.at[1] .. " " .. range.at[2] + i
      end
    end
    table.sort(found)
    return found
  end
  local function without(these, those)
    local found = vim.tbl_filter(function(name)
      return not those[name]
    end, vim.tbl_keys(these))
    table.sort(found)
    return found
  end
  local other, _, others = random(50)
  for round = 1, 300 do
    local selection, ranges, rows = random(round)
    T.equal(selection:rows(), vim.tbl_count(rows))
    T.equal(selection:empty(), next(rows) == nil)
    local got, next_one = {}, 1
    while next_one do
      local some
      some, next_one = selection:slice(next_one, 7)
      vim.list_extend(got, some)
    end
    T.equal(got, ranges)
    for _ = 1, 10 do
      local section, row = math.random(0, 2), math.random(0, round + 3)
      T.equal(selection:holds({ section, row }), rows[section .. " " .. row] or false)
    end
    local mine, theirs = selection:compare(other)
    T.equal({ names(mine), names(theirs) }, { without(rows, others), without(others, rows) })
    -- One that differs little: all rows of one range more.
    local changed, place = vim.deepcopy(ranges), math.random(#ranges)
    local removed = changed[place] and table.remove(changed, place)
    mine, theirs = selection:compare(Selection.of({ selection = changed }))
    T.equal({ names(mine), names(theirs) }, { names({ removed }), {} })
    other, others = selection, rows
  end
end)

T.test("a large selection is decoded when it is read, and an item's member of that name is not taken for it", function()
  local ranges, rows = {}, {}
  for i = 1, 400 do
    ranges[i], rows[i] = { at = { 0, 2 * i - 1 }, count = 1 }, { id = i, text = "row " .. i }
  end
  local odd = { list = "odd", items = { { id = 1, selection = ranges } } }
  local view = show({}, unpack(rows))
  T.equal(view.client:request_sync("applySnapshot", odd).selection, {})
  local got = view.client:request_sync("getSnapshot", { list = "odd" })
  T.equal({ #got.selection, got.sections[1].items[1].selection }, { 0, ranges })
  local read
  view.options.on_change = function(_, now)
    read = now.selection
  end
  local odds = {}
  for i = 1, 400, 2 do
    odds[#odds + 1] = i
  end
  view.client:request_sync("select", { list = view.list, action = "replace", items = odds })
  view:edit_items({ { edit = "insertItems", before = 2, items = { { id = "new", text = "new" } } } })
  settle(view)
  T.equal({ #read, read[1], read[2] }, { 200, { at = { 0, 0 }, count = 1 }, { at = { 0, 3 }, count = 1 } })
  view.client:request_sync("removeList", { list = "odd" })
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

T.test("a shuffle: rows, marks and cursors are right, and its many moves are decoded when they are read", function()
  math.randomseed(5)
  local items, odd = {}, {}
  for i = 1, 1500 do
    items[i] = { id = i, text = "row " .. i }
    if i % 2 == 1 then
      odd[#odd + 1] = i
    end
  end
  local view = show({}, unpack(items))
  view.client:request_sync("select", { list = view.list, action = "replace", items = odd })
  settle(view)
  go(7)
  settle(view)
  local raw, moves
  view.options.on_change = function(_, now)
    raw = require("listd.members").raw(now, "moves")
    moves = now.moves
  end
  for i = #items, 2, -1 do
    local other = math.random(i)
    items[i], items[other] = items[other], items[i]
  end
  items[#items + 1] = { id = "new", text = "new" }
  table.remove(items, 700)
  change(view, unpack(items))
  local lines, selected = {}, {}
  for i, item in ipairs(items) do
    lines[i] = item.text
    if item.id ~= "new" and item.id % 2 == 1 then
      selected[#selected + 1] = item.text
    end
  end
  T.equal(T.lines(view.buf), lines)
  T.wait("the marks", function()
    return not view.whole
  end)
  T.equal(marked(view), selected)
  T.equal(vim.api.nvim_get_current_line(), "row 7")
  T.equal({ type(raw), #moves > 1000, type(moves[1].from) }, { "string", true, "number" })
end)

T.finish()
