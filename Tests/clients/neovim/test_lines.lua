-- Editing the lines of a list as text.
-- Promise: In Neovim, Vim and Emacs new names are shown and confirmed first, and a refusal changes nothing; names land on
--   their files though the folder changes meanwhile or the daemon ends. Also `test_lines.vim`, `test_tree.vim`,
--   `listd-lines-tests.el`, `listd-tree-tests.el`.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local listd = require("listd")
local names, content, folder, keys = T.names, T.content, T.named, T.keys

-- The question before lines are written, and its answer.
local asked, answer = nil, 1
vim.fn.confirm = function(text)
  asked = vim.split(text, "\n")
  return answer
end

local function shows(view, ...)
  local wanted = { ... }
  if not vim.wait(5000, function() return vim.deep_equal(T.lines(view.buf), wanted) end, 5) then
    T.equal(T.lines(view.buf), wanted)
  end
  T.settle(view)
end

local function open(dir) return require("listd.examples.tree").open(dir) end

-- Edits the lines; returns the buffer.
local function edit(view)
  vim.api.nvim_set_current_buf(view.buf)
  keys("E")
  T.wait("the lines", function()
    return vim.api.nvim_get_current_buf() == view.editing
  end)
  return view.editing
end

-- Replaces the text of a line, as a person does.
local function retype(old, new)
  assert(vim.fn.search("\\V" .. old .. "\\$", "cw") > 0, old)
  keys("S" .. new .. "<Esc>")
end

-- Writes the buffer. With problems it stays, and they are returned by lines.
local function write(buf)
  vim.cmd("write")
  vim.wait(50, function()
    return not vim.api.nvim_buf_is_valid(buf)
  end, 1)
  local problems = {}
  if vim.api.nvim_buf_is_valid(buf) then
    local space = vim.api.nvim_create_namespace("listd.lines")
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, { details = true })) do
      problems[T.lines(buf)[mark[2] + 1]] = mark[4].virt_text[1][1]:match("← (.*)")
    end
  end
  return problems
end

T.test("tree: folders are read when they are expanded, and followed", function()
  local dir = folder("sub/deep/file", "sub/x", "a", "b10", "b9")
  local view = open(dir)
  shows(view, "▸ sub", "  a", "  b9", "  b10")
  T.go(1)
  T.settle(view)
  keys("<CR>")
  shows(view, "▾ sub", "  ▸ deep", "    x", "  a", "  b9", "  b10")
  T.write(dir .. "/sub/new", 1)
  vim.loop.fs_rename(dir .. "/a", dir .. "/sub/moved")
  shows(view, "▾ sub", "  ▸ deep", "    moved", "    new", "    x", "  b9", "  b10")
  vim.fn.delete(dir .. "/sub", "rf")
  shows(view, "  b9", "  b10")
  view:close()
  vim.cmd("bwipeout!")
end)

T.test("tree: changed lines rename their files, wherever the lines are", function()
  local dir = folder("sub/x", "sub/y", "a", "b", "with  two spaces ")
  local view = open(dir)
  shows(view, "▸ sub", "  a", "  b", "  with  two spaces ")
  T.go(1)
  T.settle(view)
  keys("<Tab>")
  shows(view, "▾ sub", "    x", "    y", "  a", "  b", "  with  two spaces ")
  local buf = edit(view)
  T.equal(T.lines(0), { "▾ sub", "    x", "    y", "  a", "  b", "  with  two spaces " })
  retype("sub", "lower")
  retype("x", " x y ")
  retype("a", "c") -- a swap, by a name that nobody has yet
  retype("b", "a")
  retype("c", "b")
  retype("with  two spaces ", "é日")
  keys("ddggP") -- moves the line to the top
  T.equal(T.lines(0)[1], "  é日")
  T.equal(write(buf), {})
  shows(view, "▾ lower", "     x y ", "    y", "  a", "  b", "  é日")
  T.equal(names(dir), { "a", "b", "lower", "é日" })
  T.equal({ content(dir .. "/a"), content(dir .. "/b"), content(dir .. "/lower/ x y ") }, { "b", "a", "sub/x" })
  T.equal(vim.api.nvim_get_current_buf(), view.buf)
  T.equal(vim.api.nvim_get_current_line(), "  é日")
  T.equal({ vim.wo.conceallevel, vim.bo.modifiable }, { 0, false })
  view:close()
  vim.cmd("bwipeout!")
end)

T.test("tree: names land on their files though the folder changes meanwhile", function()
  local dir = folder("a", "b", "c", "d")
  local view = open(dir)
  shows(view, "  a", "  b", "  c", "  d")
  local buf = edit(view)
  retype("b", "B")
  retype("c", "C")
  retype("d", "D")
  vim.loop.fs_rename(dir .. "/b", dir .. "/0 first") -- has another name, and is the first now
  vim.loop.fs_unlink(dir .. "/c")
  local file = assert(io.open(dir .. "/keep", "w")) -- which may have the inode of c
  file:close()
  for i = 1, 100 do -- more texts than the daemon remembers
    T.write(dir .. "/e" .. i, 1)
    if i % 10 == 0 then
      view:refresh()
      T.settle(view)
    end
  end
  T.wait("the change", function()
    return vim.tbl_contains(T.lines(view.buf), "  e100") and vim.tbl_contains(T.lines(view.buf), "  0 first")
  end)
  T.settle(view)
  T.equal(T.lines(0), { "  a", "  B", "  C", "  D" })
  local problems = write(buf)
  T.equal(vim.tbl_keys(problems), { "  C" })
  T.equal({ content(dir .. "/B"), content(dir .. "/D") }, { "b", "d" })
  T.equal({ vim.fn.filereadable(dir .. "/0 first"), vim.fn.filereadable(dir .. "/C") }, { 0, 0 })
  vim.cmd("bwipeout!")
  T.equal(content(dir .. "/a"), "a")
  view:close()
end)

T.test("tree: what cannot be done stays in the buffer, with the reason", function()
  local dir = folder("sub/x", "a", "b", "c", "d", "e", "taken")
  local view = open(dir)
  shows(view, "▸ sub", "  a", "  b", "  c", "  d", "  e", "  taken")
  local buf = edit(view)
  retype("a", "taken")
  retype("b", "x/y")
  retype("c", "")
  retype("d", "D")
  vim.fn.search("e$", "w")
  keys("yyp") -- a second line of e
  keys("Gonew<Esc>")
  vim.fn.search("sub$", "w")
  keys("dd")
  local problems = write(buf)
  T.equal(problems, {
    ["  taken"] = "taken exists",
    ["  x/y"] = "a name has no slash",
    ["  "] = "a name cannot be empty",
    ["  e"] = "this line is new, and lines cannot be added",
    ["  new"] = "this line is new, and lines cannot be added",
  })
  T.equal(names(dir), { "D", "a", "b", "c", "e", "sub", "taken" })
  T.equal(vim.bo.modified, true)
  T.equal(pcall(vim.cmd, "edit " .. dir .. "/a"), false) -- E37: nothing is lost by leaving
  -- Mended, all is done.
  vim.cmd([[silent global/^  new$\|\/y$/delete]])
  vim.fn.search("e$", "w")
  keys("dd")
  retype("taken", "A")
  vim.cmd([[silent global/^  $/delete]])
  T.equal(write(buf), {})
  shows(view, "▸ sub", "  A", "  b", "  c", "  D", "  e", "  taken")
  view:close()
  vim.cmd("bwipeout!")
end)

T.test("tree: what is seen is what is renamed, whatever is replaced in the lines", function()
  local dir = folder("f0000.txt", "f0001.txt", "f0002.txt")
  local view = open(dir)
  shows(view, "  f0000.txt", "  f0001.txt", "  f0002.txt")
  local function replaced(command, ...)
    local buf = edit(view)
    vim.cmd("silent " .. command)
    T.equal(T.lines(0), { ... })
    T.equal(write(buf), {})
    T.wait("the new names", function()
      return view:at(0).name == names(dir)[1]
    end)
    T.settle(view)
    return vim.tbl_map(function(name)
      return name .. " was " .. content(dir .. "/" .. name)
    end, names(dir))
  end
  local rotated = replaced([[%substitute/\d\+/\=printf("%04d", (submatch(0) + 1) % 3)/]],
    "  f0001.txt", "  f0002.txt", "  f0000.txt")
  T.equal(rotated, { "f0000.txt was f0002.txt", "f0001.txt was f0000.txt", "f0002.txt was f0001.txt" })
  T.equal(asked, { "f0000.txt → f0001.txt", "f0001.txt → f0002.txt", "f0002.txt → f0000.txt" })
  shows(view, "  f0000.txt", "  f0001.txt", "  f0002.txt")
  T.equal(replaced([[%substitute/\d\+/\=printf("%04d", submatch(0) + 10)/]],
    "  f0010.txt", "  f0011.txt", "  f0012.txt"),
    { "f0010.txt was f0002.txt", "f0011.txt was f0000.txt", "f0012.txt was f0001.txt" })
  shows(view, "  f0010.txt", "  f0011.txt", "  f0012.txt")
  asked = nil
  replaced("sort!", "  f0012.txt", "  f0011.txt", "  f0010.txt")
  T.equal(asked, nil, "an order is not a change")
  edit(view)
  keys("ggVGg<C-a>")
  T.equal(T.lines(0), { "  f0011.txt", "  f0013.txt", "  f0015.txt" })
  vim.cmd("bwipeout!")
  view:close()
end)

T.test("writing asks, and an answer of no changes nothing", function()
  local all = {}
  for i = 1, 30 do
    all[i] = string.format("%02d", i)
  end
  local dir = folder(unpack(all))
  local view = open(dir)
  T.wait("the files", function()
    return view.count == 30
  end)
  T.settle(view)
  local buf = edit(view)
  vim.cmd("silent %substitute/$/ new")
  vim.o.lines = 40
  for _, no in ipairs({ 0, 2 }) do
    asked, answer = nil, no
    vim.cmd("write")
    T.equal({ #asked, asked[1], asked[20], asked[21] }, { 21, "01 → 01 new", "20 → 20 new", "and 10 more" })
    T.equal(names(dir), all)
    T.equal({ vim.api.nvim_get_current_buf() == buf, vim.bo.modified }, { true, true })
  end
  vim.o.lines = 24
  vim.cmd("write")
  T.equal({ #asked, asked[19] }, { 19, "and 12 more" }, "all is seen at once")
  asked, answer = nil, 1
  listd.setup({ confirm_renames = false })
  T.equal(write(buf), {})
  listd.setup({})
  T.equal({ asked, names(dir)[30] }, { nil, "30 new" })
  buf = edit(view)
  T.equal(write(buf), {})
  T.equal(asked, nil, "nothing is changed")
  view:close()
end)

T.test("tree: lines are written after the daemon's end", function()
  local dir = folder("sub/x", "a", "b")
  local view = open(dir)
  shows(view, "▸ sub", "  a", "  b")
  T.go(1)
  T.settle(view)
  keys("<Tab>")
  shows(view, "▾ sub", "    x", "  a", "  b")
  local buf = edit(view)
  retype("x", "y")
  retype("b", "c")
  retype("a", "sub")
  view.client.handle:kill("sigkill")
  T.wait("the end", function()
    return not view:alive()
  end)
  T.equal(write(buf), { ["  sub"] = "sub exists" })
  T.equal({ content(dir .. "/sub/y"), content(dir .. "/a"), content(dir .. "/c") }, { "sub/x", "a", "b" })
  vim.cmd([[silent %substitute/  c/  d/ | silent %substitute/  sub/  B/]])
  T.equal(write(buf), {})
  T.equal({ content(dir .. "/B"), content(dir .. "/d") }, { "a", "b" })
  shows(view, "▸ sub", "  B", "  d")

  -- A text of another daemon says nothing about the lines.
  buf = edit(view)
  retype("B", "first")
  view.client.handle:kill("sigkill")
  T.wait("the end", function()
    return not view:alive()
  end)
  for _, name in ipairs({ "A", "C" }) do
    T.write(dir .. "/" .. name, 1)
  end
  view:refresh()
  shows(view, "▸ sub", "  A", "  B", "  C", "  d")
  T.equal(write(buf), {})
  T.equal(content(dir .. "/first"), "a")
  view:close()
end)

T.test("tree: bytes that are not text, and line breaks, stay in names", function()
  local dir = folder("caf\xe9", "two\nlines", "tab\tname")
  local view = open(dir)
  shows(view, "  caf\\xe9", "  tab^Iname", "  two^Jlines")
  local buf = edit(view)
  vim.cmd([[silent %substitute/$/ 2/]])
  T.equal(write(buf), {})
  T.equal(asked, { "caf<e9> → caf<e9> 2", "tab^Iname → tab^Iname 2", "two^@lines → two^@lines 2" })
  T.equal(names(dir), { "caf\xe9 2", "tab\tname 2", "two\nlines 2" })
  view:close()
  vim.cmd("bwipeout!")
end)

T.test("editing lines: keys keep to the text, undo, leaving, other lists", function()
  local view = listd.view("editable", {
    templates = { Editable = "· {name}" },
    edit = { commit = function(changes)
      for _, change in ipairs(changes) do
        change.problem = change.text == "bad" and "it is bad" or nil
        if change.text == "raise" then
          error("raised", 0)
        end
      end
    end },
  })
  vim.api.nvim_set_current_buf(view.buf)
  local function item(id, name)
    return { id = id, name = name, template = "Editable" }
  end
  view:apply({ sections = { { id = 1, header = "Head", items = { item(1, "one"), item(2, "two words") } } } })
  T.settle(view)
  local buf = edit(view)
  T.equal(T.lines(buf), { "Head", "· one", "· two words" })
  keys("u")
  T.equal(T.lines(buf), { "Head", "· one", "· two words" }, "nothing to undo")
  retype("one", "1")
  keys("u")
  T.equal(T.lines(buf), { "Head", "· one", "· two words" }, "undone")
  vim.cmd("3")
  keys("$bi<C-u>2 <Esc>0ia<Esc>^ib<Esc>$a!<C-w><C-w><C-w><C-w><C-w><BS>c<Esc>")
  T.equal(T.lines(buf)[3], "· c")
  keys("5Sbad<Esc>Ivery <Esc>")
  T.equal(T.lines(buf)[3], "· very bad")
  retype("very bad", "bad")
  T.equal(write(buf), { ["· bad"] = "it is bad" })
  retype("bad", "raise")
  T.equal(write(buf), { ["· raise"] = "raised" })
  vim.cmd([[1substitute/Head/Tail/]])
  vim.cmd([[2substitute/·/x/]])
  retype("raise", "good")
  T.equal(write(buf), { Tail = "this line cannot be changed",
    ["x one"] = "only the text behind the indent can be changed" })
  vim.cmd("undo")
  vim.cmd("bwipeout!")
  T.equal(vim.api.nvim_buf_is_valid(buf), false)

  -- The list is closed meanwhile.
  buf = edit(view)
  retype("one", "two")
  view:close()
  T.equal(write(buf), { ["· two"] = "the list is not there any more" })
  vim.cmd("bwipeout!")

  local plain = listd.view("plain", {})
  vim.api.nvim_set_current_buf(plain.buf)
  T.equal(vim.fn.maparg("E", "n"), "")
  vim.cmd("ListdEdit")
  T.equal(vim.api.nvim_get_current_buf(), plain.buf)
  vim.cmd("bwipeout!")
end)

T.test("tree in a terminal: what is seen before, while and after editing", function()
  local dir = folder("src/main.c", "src/util.c", "doc/help", "README")
  local root = debug.getinfo(1, "S").source:sub(2):gsub("Tests/clients/.*", "")
  local terminal = T.terminal("nvim --clean -n --cmd 'set rtp^=" .. vim.fn.fnamemodify(root .. "clients/neovim", ":p")
    .. "' -c 'runtime plugin/listd.lua' -c 'lua require(\"listd.examples.tree\").open(\"" .. dir .. "\")'",
    { LISTD = vim.env.LISTD, LC_ALL = "C.UTF-8" })
  local function see(text)
    terminal.wait(text, function(screen)
      return screen:find(text, 1, true)
    end)
  end
  local ok, why = pcall(function()
    see("  ▸ doc\n  ▸ src\n    README\n")
    terminal.keys("j", "Tab")
    see("  ▸ doc\n  ▾ src\n      main.c\n      util.c\n    README\n")
    terminal.keys("E")
    see("(editing ")
    see("  ▸ doc\n  ▾ src\n      main.c\n      util.c\n    README\n")
    terminal.keys("j", "I", "new-", "Escape", "j", "S", "doc", "Escape", "k", "A", "pp", "Escape")
    see("  ▾ src\n      new-main.cpp\n      doc\n")
    terminal.keys(":w", "Enter")
    see("main.c → new-main.cpp\nutil.c → doc\n(Y)es, [N]o:")
    terminal.keys("n")
    see("      new-main.cpp\n      doc\n    README\n~")
    terminal.keys(":w", "Enter")
    see("(Y)es, [N]o:")
    terminal.keys("y")
    see("\nlistd: 2 lines changed") -- in a line: no key is asked for
    see("  ▾ src\n      doc\n      new-main.cpp\n    README\n")
    terminal.keys("E")
    see("(editing ")
    terminal.keys("A", "2", "Escape")
    terminal.keys(":wq", "Enter") -- all is written before Neovim ends
    see("(Y)es, [N]o:")
    terminal.keys("y")
    local ended = { "doc", "new-main.cpp2" }
    T.wait("the files", function() return vim.deep_equal(names(dir .. "/src"), ended) end)
  end)
  terminal.close()
  assert(ok, why)
end)

T.finish()
