-- Long lists: they are sent, read and shown in parts, so that a key waits for none of it.
-- Promise: In Neovim, Vim and Emacs a long list is sent, read and shown in parts, and a long change in several
--   turns of the loop; keys and changes in between are correct, and closing ends the reading. Also
--   `test_opening.vim`, `listd-opening-tests.el`.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local Client = require("listd.client")
local edits = require("listd.edits")
local listd = require("listd")

local ROWS = 20000
local MOST_LINES, MOST_BYTES = 1000, 100000 -- of one step

local program = vim.env.LISTD or "listd"
local socket = vim.fn.tempname()
vim.fn.system(program .. " connect --start " .. socket .. " --exit-when-idle 20 </dev/null")
local other = assert(Client.start({ connect = socket }))

listd.setup({ connect = socket })

local function rows(first, last)
  local items = {}
  for i = first, last do
    items[#items + 1] = { id = i, text = "row " .. i }
  end
  return items
end

local function snapshot(items)
  return { sections = { { id = "s", selectionMode = "multiple", items = items } } }
end

local function texts(items)
  return vim.tbl_map(function(item)
    return item.text
  end, items)
end

-- The largest message of a view's client from now on, and how many texts it asks for.
local function measured(client)
  local most = { bytes = 0, texts = 0 }
  local send, handle = client._send, client._handle
  function client:_send(head, params)
    most.bytes = math.max(most.bytes, #params)
    most.texts = most.texts + (head:find('"getText"', 1, true) and 1 or 0)
    return send(self, head, params)
  end
  function client:_handle(text)
    most.bytes = math.max(most.bytes, #text)
    return handle(self, text)
  end
  return most
end

-- Opens a list that is there, and waits until some of it is shown.
local function opened(list, items, params)
  local all = vim.tbl_extend("force", { list = list, format = "none" }, snapshot(items), params or {})
  assert(other:request_sync("applySnapshot", all))
  local view = listd.view(list, {})
  vim.api.nvim_set_current_buf(view.buf)
  local most, count = measured(view.client), T.touched(view.buf)
  T.wait("the first lines", function()
    return view.count > 0
  end)
  assert(view.count < ROWS / 2, "all lines came at once")
  return view, most, count
end

local function all_read(view)
  T.wait("all lines", function()
    return view.text_revision and not view.rereading
  end)
  T.settle(view)
end

local function text_of(list)
  return edits.lines(other:request_sync("getText", { list = list }).text)
end

local function most_lines(count)
  local most = 0
  for _, range in ipairs(count.ranges) do
    most = math.max(most, range[2] - range[1], range[3] - range[1])
  end
  return most
end

T.test("another program's list is read in windows, and keys mean what is shown meanwhile", function()
  local view, most, count = opened("long", rows(1, ROWS))
  local wrong
  vim.api.nvim_buf_attach(view.buf, false, {
    on_lines = function(_, buf, _, _, _, last)
      local line = vim.api.nvim_buf_get_lines(buf, last - 1, last, true)[1]
      if line ~= "row " .. last then
        wrong = line
      end
    end,
  })
  T.go(100)
  view:select("toggle")
  local got, lines
  view:act(function(items)
    got, lines = items, view.count
  end)
  T.wait("the answer", function()
    return got
  end)
  T.equal(got[1].id, 100)
  assert(lines < ROWS, "answered after the opening")
  all_read(view)
  T.equal(T.lines(view.buf), texts(rows(1, ROWS)))
  T.equal(wrong, nil)
  assert(most_lines(count) <= MOST_LINES, most_lines(count) .. " lines at once")
  assert(most.bytes <= MOST_BYTES, most.bytes .. " bytes at once")
  local space = vim.api.nvim_create_namespace("listd")
  T.equal(#vim.api.nvim_buf_get_extmarks(view.buf, space, 0, -1, {}), 1)
  T.equal(vim.api.nvim_win_get_cursor(0)[1], 100)
  vim.cmd("bwipeout!")
end)

T.test("changes during the opening are neither lost nor applied twice", function()
  local view = opened("changing", rows(1, ROWS))
  T.go(50)
  local step = 0
  while step < 20 or view.rereading do
    assert(step < 500, "the reading does not end")
    step = step + 1
    local change = {
      { edit = "insertItems", before = 10, items = { { id = "a" .. step, text = "new " .. step } } },
      { edit = "deleteItems", items = { 100 + step, 15000 + step } },
      { edit = "updateItems", items = { { id = 300 + step, text = "x" }, { id = 19000, text = "y" .. step } } },
      { edit = "appendItems", section = "s", items = { { id = "b" .. step, text = "last " .. step } } },
    }
    other:request("editSnapshot", { list = "changing", edits = change, format = "none" })
    vim.wait(3)
  end
  T.wait("the last change", function()
    return T.lines(view.buf)[view.count] == "last " .. step
  end)
  all_read(view)
  T.equal(T.lines(view.buf), text_of("changing"))
  T.equal(vim.api.nvim_get_current_line(), "row 50")
  vim.cmd("bwipeout!")
end)

T.test("the cursor goes to the daemon's row once that is read, unless it was moved", function()
  local view = opened("far", rows(1, ROWS), { cursor = 15000 })
  T.equal(vim.api.nvim_win_get_cursor(0)[1], 1)
  vim.api.nvim_exec_autocmds("CursorMoved", { buffer = 0 })
  all_read(view)
  T.equal(vim.api.nvim_get_current_line(), "row 15000")
  vim.cmd("bwipeout!")
  view = opened("far", rows(1, ROWS))
  T.go(3)
  all_read(view)
  T.equal(vim.api.nvim_get_current_line(), "row 3")
  T.equal(other:request_sync("getSelection", { list = "far" }).cursor, { 0, 2 })
  vim.cmd("bwipeout!")
end)

T.test("closing the buffer ends the reading", function()
  local view, most = opened("closed", rows(1, ROWS))
  vim.cmd("bwipeout!")
  local asked = most.texts
  T.settle(view)
  T.equal(most.texts, asked)
end)

-- Does something once the messages of a view wait for a long change, whose slices are short. Returns how often
-- the loop has gone on since then, when the change is shown.
local function meanwhile(view, act)
  local uv, turns, begun = vim.uv or vim.loop, 0, false
  local real, now = uv.hrtime, 0
  uv.hrtime = function()
    now = now + 1e6
    return now
  end
  local timer = uv.new_timer()
  timer:start(1, 1, vim.schedule_wrap(function()
    turns = turns + (view.client.held and 1 or 0)
    if turns == 2 and not begun then
      begun = true
      act()
    end
  end))
  local ok, why = pcall(T.wait, "the slices", function()
    return begun and not view.client.held
  end)
  uv.hrtime = real
  timer:close()
  assert(ok, why)
  all_read(view)
  return turns
end

-- Has the rows of a list shuffled and one of them deleted; returns what is left.
local function shuffle(list)
  math.randomseed(5)
  local shuffled = rows(1, ROWS)
  for i = ROWS, 2, -1 do
    local k = math.random(i)
    shuffled[i], shuffled[k] = shuffled[k], shuffled[i]
  end
  table.remove(shuffled, 11)
  other:request("applySnapshot", vim.tbl_extend("force", { list = list, format = "none" }, snapshot(shuffled)))
  return shuffled
end

T.test("a long change is read in slices, and keys mean what is shown meanwhile", function()
  local view = opened("shuffled", rows(1, ROWS))
  all_read(view)
  T.go(7000)
  T.settle(view)
  local shuffled, under, acted = shuffle("shuffled"), nil, nil
  local turns = meanwhile(view, function()
    T.equal(T.lines(view.buf), texts(rows(1, ROWS)), "the text before")
    T.keys("j<Space>")
    T.go(9000)
    view:select_lines("toggle", 9000, 9001)
    view:at(14999, function(item)
      under = item
    end)
    view:act(function(items, place)
      acted = { items, place }
    end)
  end)
  assert(turns > 20, turns .. " turns of the loop")
  T.equal(T.lines(view.buf), texts(shuffled))
  local selected = vim.tbl_map(function(item)
    return item.id
  end, T.selected(view))
  table.sort(selected)
  T.equal(selected, { 7001, 9001, 9002 })
  T.equal(under.id, 15000)
  T.equal(acted[2].item.id, 9000)
  local marked = T.marked(view)
  table.sort(marked)
  T.equal(marked, { "row 7001", "row 9001", "row 9002" })
  vim.cmd("bwipeout!")
end)

T.test("after a shuffle each window is on its row, also if the cursor moves before it is shown", function()
  local view = opened("windows", rows(1, ROWS))
  all_read(view)
  local windows = { vim.api.nvim_get_current_win() }
  for i, line in ipairs({ 5000, 7000, 3000 }) do
    vim.api.nvim_win_set_cursor(0, { line, 0 })
    vim.cmd("split")
    windows[i + 1] = vim.api.nvim_get_current_win()
  end
  local function shown()
    return vim.tbl_map(function(win)
      return T.lines(view.buf)[vim.api.nvim_win_get_cursor(win)[1]]
    end, windows)
  end
  T.go(9000)
  T.settle(view)
  T.equal(shown(), { "row 5000", "row 7000", "row 3000", "row 9000" })
  local shuffled = shuffle("windows")
  meanwhile(view, function()
    vim.api.nvim_win_set_cursor(windows[2], { 6000, 0 })
    T.go(11000)
    T.go(4000)
  end)
  T.equal(T.lines(view.buf), texts(shuffled))
  T.equal(shown(), { "row 5000", "row 6000", "row 3000", "row 4000" })
  other:request("editSnapshot", { list = "windows", format = "none", edits = {
    { edit = "deleteItems", items = { 6000 } },
    { edit = "moveItems", items = { 4000 }, section = "s" },
  } })
  T.settle(view)
  T.equal(shown()[4], "row 4000")
  T.equal(view:item().id, 4000)
  vim.cmd("only | bwipeout!")
end)

T.test("a text that was missed is read in windows while the old one is shown", function()
  local view, most = opened("missed", rows(1, ROWS))
  all_read(view)
  T.go(9000)
  T.settle(view)
  local space = vim.api.nvim_create_namespace("test")
  local mark = vim.api.nvim_buf_set_extmark(view.buf, space, 17000, 0, {})
  local count = T.touched(view.buf)
  view.text_revision = 999
  local function edit(change)
    assert(other:request_sync("editSnapshot", { list = "missed", edits = { change }, format = "none" }))
  end
  edit({ edit = "insertItems", before = 5000, items = { { id = "new", text = "new" } } })
  T.wait("the reading", function()
    return view.fresh and #view.fresh.lines > 0
  end)
  edit({ edit = "deleteItems", items = { 3, 4 } })
  all_read(view)
  T.equal(T.lines(view.buf), text_of("missed"))
  T.equal(vim.api.nvim_get_current_line(), "row 9000")
  local place = vim.api.nvim_buf_get_extmark_by_id(view.buf, space, mark, {})
  T.equal(T.lines(view.buf)[place[1] + 1], "row 17001")
  assert(count.lines < 6000, count.lines .. " lines were touched")
  assert(most.bytes <= MOST_BYTES, most.bytes .. " bytes at once")
  vim.cmd("bwipeout!")
end)

T.test("a large snapshot is sent, read and shown in parts", function()
  listd.stop()
  listd.setup({ connect = false })
  local view = listd.view("own", {})
  vim.api.nvim_set_current_buf(view.buf)
  local most, count = measured(view.client), T.touched(view.buf)
  local items, shown, later = rows(1, ROWS), 0, nil
  view:apply(snapshot(items), function(err)
    assert(not err)
    shown = #T.lines(view.buf)
  end)
  view:edit_items({ { edit = "deleteItems", items = { 1 } } }, function()
    later = true
  end)
  T.wait("both changes", function()
    return later
  end)
  table.remove(items, 1)
  T.equal(T.lines(view.buf), texts(items))
  assert(shown >= ROWS - 1, "called before all was shown")
  assert(most_lines(count) <= MOST_LINES, most_lines(count) .. " lines at once")
  assert(most.bytes <= MOST_BYTES, most.bytes .. " bytes at once")
  T.settle(view)
  T.go(12000)
  T.settle(view)
  table.insert(items, 100, { id = "new", text = "new" })
  items[700] = { id = items[700].id, text = "changed" }
  later = nil
  view:apply(snapshot(items), function()
    later = true
  end)
  T.wait("the change", function()
    return later
  end)
  T.equal(T.lines(view.buf), texts(items))
  T.equal(vim.api.nvim_win_get_cursor(0)[1], 12001)
  assert(most.bytes <= MOST_BYTES, most.bytes .. " bytes at once")
  T.equal(#view.client:request_sync("getLists", {}).lists, 1)
  vim.cmd("bwipeout!")
end)

T.test("a part that is refused changes nothing", function()
  local view = listd.view("own", {})
  view:apply(snapshot(rows(1, 3)))
  local items, why = rows(1, ROWS), nil
  items[ROWS] = { id = 7, text = "twice" }
  view:apply(snapshot(items), function(err)
    why = err
  end)
  T.wait("the error", function()
    return why
  end)
  T.settle(view)
  T.equal(T.lines(view.buf), texts(rows(1, 3)))
  T.equal(#view.client:request_sync("getLists", {}).lists, 1)
  view:close()
end)

T.test("edits of the first lines of a text lead to the first lines of the new one", function()
  math.randomseed(7)
  for _ = 1, 3000 do
    local all, changes, line = {}, {}, 0
    for i = 1, math.random(0, 12) do
      all[i] = "old " .. i
    end
    while line <= #all do
      local first = line + math.random(0, 3)
      local last = first + math.random(0, 3)
      local new = {}
      for i = 1, math.random(0, 4) do
        new[i] = "new " .. first .. " " .. i
      end
      if last <= #all and (last > first or #new > 0) then
        changes[#changes + 1] = { first = first, last = last, lines = new }
      end
      line = last + 1
    end
    local count = math.random(0, #all)
    local now, some = vim.list_slice(all), vim.list_slice(all, 1, count)
    edits.splice(now, changes)
    edits.splice(some, (edits.clip(changes, count, count < #all or math.random() < 0.5, math.random(1, 4))))
    T.equal(some, vim.list_slice(now, 1, #some))
    local whole, cut = vim.list_slice(all), nil
    changes, cut = edits.clip(changes, #all, false, 2)
    edits.splice(whole, changes)
    assert(cut or vim.deep_equal(whole, now), "lines are missing")
  end
end)

T.finish()
