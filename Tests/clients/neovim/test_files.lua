-- The example on a folder that changes on disk.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local listd = require("listd")
local files = require("listd.files")

local space = vim.api.nvim_create_namespace("listd")
local foreign = vim.api.nvim_create_namespace("somebody")

-- Headless, nothing is typed, so no event reports that the cursor has moved.
local function go(pattern)
  vim.fn.search(pattern, "cw")
  vim.api.nvim_exec_autocmds("CursorMoved", { buffer = 0 })
end

local settle = T.settle

local function marked(view)
  local lines = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(view.buf, space, 0, -1, {})) do
    lines[#lines + 1] = T.lines(view.buf)[mark[2] + 1]
  end
  return lines
end

local function open(contents)
  local dir = T.folder(contents)
  local view = files.open(dir)
  T.wait("files", function()
    return view.count == vim.tbl_count(contents)
  end)
  settle(view)
  return view, dir
end

local SIX = { ["apple"] = 1, ["banana"] = 2, ["cherry"] = 3, ["date"] = 4, ["elder"] = 5, ["fig"] = 6 }

T.test("the files of a folder, folders first", function()
  local view, dir = open({ b = 2000, a = 5 })
  vim.fn.mkdir(dir .. "/z")
  T.wait("the new folder", function()
    return view.count == 3
  end)
  T.equal(T.lines(view.buf), { "z/", "a  5B", "b  2.0K" })
  T.equal(vim.api.nvim_get_current_line(), "a  5B", "the first row has the cursor")
  T.equal(vim.api.nvim_buf_get_name(view.buf), "listd://" .. dir)
end)

T.test("cursor, selection and a foreign mark stay while others change", function()
  local view, dir = open(SIX)
  go("^banana")
  view:select("toggle")
  go("^date")
  view:select("toggle")
  settle(view)
  T.equal(marked(view), { "banana  2B", "date  4B" })
  local extmark = vim.api.nvim_buf_set_extmark(view.buf, foreign, 3, 2, {})
  vim.wo.foldmethod = "manual"
  vim.cmd("5,6fold")
  local touched = T.touched(view.buf)

  os.rename(dir .. "/apple", dir .. "/zebra") -- another row moves, from above the cursor to the end
  os.remove(dir .. "/cherry")
  T.write(dir .. "/aardvark", 7)
  T.write(dir .. "/blueberry", 8)
  T.wait("the change", function()
    return T.lines(view.buf)[1] == "aardvark  7B" and view.count == 7
  end)
  settle(view)
  T.equal(T.lines(view.buf), {
    "aardvark  7B", "banana  2B", "blueberry  8B", "date  4B", "elder  5B", "fig  6B", "zebra  1B",
  })
  T.equal(vim.api.nvim_get_current_line(), "date  4B", "the line under the cursor")
  T.equal(marked(view), { "banana  2B", "date  4B" }, "the selection")
  local at = vim.api.nvim_buf_get_extmark_by_id(view.buf, foreign, extmark, {})
  T.equal(at, { 3, 2 }, "the foreign mark")
  T.equal({ vim.fn.foldclosed(5), vim.fn.foldclosedend(5) }, { 5, 6 }, "the fold")
  -- cherry goes, aardvark and blueberry come; apple is moved (3 changes for Neovim) and becomes zebra
  assert(touched.lines <= 7, vim.inspect(touched))
end)

T.test("the cursor follows its file through a new name", function()
  local view, dir = open(SIX)
  go("^banana")
  view:select("toggle")
  settle(view)
  vim.api.nvim_win_set_cursor(0, { 2, 3 })
  os.rename(dir .. "/banana", dir .. "/quince")
  T.wait("the new name", function()
    return T.lines(view.buf)[6] == "quince  2B"
  end)
  settle(view)
  T.equal(vim.api.nvim_win_get_cursor(0), { 6, 3 })
  T.equal(marked(view), { "quince  2B" })
end)

T.test("a file with the number of a deleted one has a row of its own, and one that is replaced keeps its row", function()
  for _, how in ipairs({ "", "ListdRefresh" }) do -- by names, and the whole folder
    local view, dir = open(SIX)
    for _, name in ipairs({ "banana", "date", "fig" }) do
      go("^" .. name)
      view:select("toggle")
      settle(view)
    end
    os.remove(dir .. "/banana")
    T.write(dir .. "/cucumber", 7) -- which may have the number of banana
    os.rename(dir .. "/date", dir .. "/date~") -- as Emacs saves
    T.write(dir .. "/date", 9)
    os.rename(dir .. "/fig", dir .. "/grape")
    vim.cmd(how)
    T.wait("the change", function()
      return view.count == 7 and T.lines(view.buf)[7] == "grape  6B"
    end)
    settle(view)
    T.equal(marked(view), { "date  9B", "grape  6B" })
    T.equal(vim.api.nvim_get_current_line(), "grape  6B")
  end
end)

T.test("where the cursor's file goes, the next one has it", function()
  local view, dir = open(SIX)
  go("^cherry")
  settle(view)
  os.remove(dir .. "/cherry")
  T.wait("the change", function()
    return view.count == 5
  end)
  T.equal(vim.api.nvim_get_current_line(), "date  4B")
end)

T.test("a file that grows changes its line alone, and marks in it stay", function()
  local view, dir = open(SIX)
  local extmark = vim.api.nvim_buf_set_extmark(view.buf, foreign, 3, 2, {})
  local touched = T.touched(view.buf)
  T.write(dir .. "/date", 44)
  T.wait("the change", function()
    return T.lines(view.buf)[4] == "date  44B"
  end)
  T.equal(touched.ranges, { { 3, 4, 4 } })
  T.equal(vim.api.nvim_buf_get_extmark_by_id(view.buf, foreign, extmark, {}), { 3, 2 })
end)

T.test("the row under the cursor stays where it is on the screen", function()
  local many = {}
  for number = 100, 299 do
    many["file" .. number] = number
  end
  local view, dir = open(many)
  go("^file250")
  vim.cmd("normal! zz")
  settle(view)
  local row = vim.fn.winline()
  for number = 100, 120 do
    os.remove(dir .. "/file" .. number)
  end
  T.wait("the change", function()
    return view.count == 179
  end)
  T.equal(vim.fn.getline("."):sub(1, 7), "file250")
  T.equal(vim.fn.winline(), row)
end)

T.test("changes under a cursor that moves", function()
  local view, dir = open(SIX)
  for round = 1, 30 do
    T.write(dir .. "/a" .. round, round)
    view:refresh()
    local down = vim.fn.line(".") < vim.fn.line("$")
    vim.cmd(down and "normal! j" or "normal! gg")
    vim.api.nvim_exec_autocmds("CursorMoved", { buffer = 0 })
    local name = vim.api.nvim_get_current_line():match("^%S+")
    T.wait("round " .. round, function()
      return view.count == 6 + round
    end)
    T.equal(vim.api.nvim_get_current_line():match("^%S+"), name, "round " .. round)
  end
  settle(view)
  local now = view.client:request_sync("getText", { list = view.list })
  T.equal(table.concat(T.lines(view.buf), "\n") .. "\n", now.text)
  T.equal(vim.fn.line(".") - 1, now.cursorLine)
end)

T.test("selecting: all, others, none, a range, and lines", function()
  local view = open(SIX)
  local function selected()
    settle(view)
    return #marked(view)
  end
  view:select("all")
  T.equal(selected(), 6)
  view:select("none")
  T.equal(selected(), 0)
  go("^banana")
  vim.cmd("ListdSelect toggle")
  settle(view)
  go("^elder")
  vim.cmd("ListdSelect extend")
  T.equal(selected(), 4)
  view:select("invert")
  settle(view)
  T.equal(marked(view), { "apple  1B", "fig  6B" })
  vim.cmd("1,3ListdSelect select")
  settle(view)
  T.equal(marked(view), { "apple  1B", "banana  2B", "cherry  3B", "fig  6B" })
  local names
  view:selected(function(items)
    names = vim.tbl_map(function(item)
      return item.name
    end, items)
  end)
  settle(view)
  T.equal(names, { "apple", "banana", "cherry", "fig" })
end)

T.test("keys: select, open, close", function()
  local view, dir = open(SIX)
  vim.fn.mkdir(dir .. "/sub")
  T.wait("the folder", function()
    return view.count == 7
  end)
  go("^cherry")
  vim.api.nvim_feedkeys(" ", "x", false)
  settle(view)
  T.equal(marked(view), { "cherry  3B" })
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("<CR>", true, false, true), "x", false)
  T.wait("the file", function()
    return vim.api.nvim_buf_get_name(0) == dir .. "/cherry"
  end)
  T.equal(files.open(dir), view, "the same view again")
  T.equal(vim.api.nvim_get_current_line(), "cherry  3B", "where it was left")
  vim.cmd("normal q")
  T.equal(vim.api.nvim_buf_is_valid(view.buf), false)
  local lists = view.client:request_sync("getLists", {})
  for _, list in ipairs(lists.lists) do
    assert(list.list ~= view.list, "a list outlives its buffer")
  end
end)

T.test("two windows: each keeps its row", function()
  local view, dir = open(SIX)
  go("^fig")
  settle(view)
  vim.cmd("split")
  go("^cherry")
  settle(view)
  T.write(dir .. "/aardvark", 1)
  T.wait("the change", function()
    return view.count == 7
  end)
  T.equal(vim.api.nvim_get_current_line(), "cherry  3B")
  vim.cmd("wincmd j")
  T.equal(vim.api.nvim_get_current_line(), "fig  6B")
  vim.cmd("only")
end)

T.test("the daemon's death is reported, and refreshing starts anew", function()
  local view, dir = open(SIX)
  go("^date")
  settle(view)
  local got, notify = {}, vim.notify
  vim.notify = function(text)
    got[#got + 1] = text
  end
  local client, failed = view.client, {}
  client:request("getSnapshot", { list = "a" .. string.rep("b", 100) }, function(err)
    failed[#failed + 1] = err
  end)
  settle(view)
  client.handle:kill("sigstop")
  for _ = 1, 2 do
    client:request("getText", { list = view.list }, function(err)
      failed[#failed + 1] = err
    end)
  end
  client.handle:kill("sigkill")
  T.wait("the end", function()
    return client.ended
  end)
  vim.notify = notify
  T.equal(failed[1].code, -31001)
  T.equal({ failed[2].ended, failed[3].ended }, { true, true })
  T.equal(#failed, 3)
  assert(table.concat(got, "\n"):find("signal 9", 1, true), vim.inspect(got))
  T.equal(view.count, 6, "what was known is still shown")
  os.rename(dir .. "/apple", dir .. "/zebra")
  T.wait("the change, by another daemon", function()
    return T.lines(view.buf)[6] == "zebra  1B"
  end)
  assert(view.client ~= client)
  T.equal(vim.api.nvim_get_current_line(), "date  4B")
  view:select("toggle")
  settle(view)
  T.equal(marked(view), { "date  4B" })
end)

T.test("a folder that is emptied and filled again", function()
  local view, dir = open({ a = 1, b = 2 })
  os.remove(dir .. "/a")
  os.remove(dir .. "/b")
  T.wait("emptied", function()
    return view.count == 0
  end)
  T.equal(T.lines(view.buf), { "" })
  T.write(dir .. "/c", 3)
  T.wait("filled", function()
    return view.count == 1
  end)
  T.equal(T.lines(view.buf), { "c  3B" })
end)

T.test("a folder that is removed and made again is followed from the next R on", function()
  local view, dir = open({ a = 1 })
  vim.fn.delete(dir, "rf")
  T.wait("emptied", function()
    return view.count == 0
  end)
  vim.fn.mkdir(dir)
  vim.cmd("ListdRefresh")
  T.write(dir .. "/b", 2)
  T.wait("the file", function()
    return T.lines(view.buf)[1] == "b  2B"
  end)
end)

T.test("sessions and :edit show the folder whose name a buffer has", function()
  local view, dir = open({ a = 1, b = 2 })
  vim.cmd("only")
  local session = vim.fn.tempname()
  for _, again in ipairs({ "source " .. session, "edit listd://" .. dir }) do
    vim.cmd("mksession! " .. session)
    vim.cmd("bwipeout " .. view.buf)
    vim.cmd(again)
    T.wait("the folder after " .. again, function()
      view = listd.view_of()
      return view and T.lines(0)[2] == "b  2B"
    end)
    T.equal(vim.api.nvim_buf_get_name(0), "listd://" .. dir)
    T.equal(vim.fn.bufnr("#") > 0 and vim.fn.bufname("#") == "", false, "no other buffer is left")
    local names = vim.tbl_filter(function(buf)
      return vim.api.nvim_buf_get_name(buf):find(dir, 1, true)
    end, vim.api.nvim_list_bufs())
    T.equal(names, { view.buf })
  end
end)

T.test("odd names", function()
  local view = open({ ["a\nb"] = 1, ["c\255"] = 1, ["{x}"] = 1, ["ü"] = 1 })
  T.equal(T.lines(view.buf), { "a^Jb  1B", "c\\xff  1B", "{x}  1B", "ü  1B" })
end)

T.test("a folder of many files is sorted, and shown in parts", function()
  local files, names = {}, {}
  for i = 1, 1703 do
    names[i] = string.format("%05d", i * 7919 % 10007)
    files[names[i]] = 0
  end
  local dir = T.folder(files)
  local view = require("listd.files").open(dir)
  local count = T.touched(view.buf)
  T.wait("the files", function()
    return view.count == #names
  end)
  table.sort(names)
  T.equal(T.lines(view.buf), vim.tbl_map(function(name) return name .. "  0B" end, names))
  for _, range in ipairs(count.ranges) do
    assert(range[3] - range[1] <= 500, range[3] - range[1] .. " lines at once")
  end
  T.settle(view)

  -- A change costs a few short messages.
  local bytes, handle = 0, view.client._handle
  view.client._handle = function(client, text)
    bytes = bytes + (text:find('"lists":', 1, true) and 0 or #text) -- what `settle` asks for
    return handle(client, text)
  end
  T.write(dir .. "/" .. names[900], 5)
  T.wait("the change", function()
    return T.lines(view.buf)[900] == names[900] .. "  5B"
  end)
  T.settle(view)
  view.client._handle = nil
  assert(bytes < 2000, bytes .. " bytes")
  view:refresh()
  T.settle(view)
  T.equal(view.count, #names)
end)

T.finish()
