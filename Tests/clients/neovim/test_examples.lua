-- The examples, used as a person would.
-- Promise: The editors' examples stage hunks one by one, keep the cursor and the selection on processes, and pick
--   from 100,000 lines with marks that survive the query. Also `test_examples.vim`, `listd-examples-tests.el`.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")

local function keys(text)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(text, true, false, true), "x", false)
end

local function shows(view, wanted)
  if not vim.wait(5000, function()
    return vim.deep_equal(T.lines(view.buf), wanted)
  end, 5) then
    T.equal(T.lines(view.buf), wanted)
  end
  T.settle(view)
end

local function go(pattern)
  vim.fn.search(pattern, "cw")
  vim.api.nvim_exec_autocmds("CursorMoved", { buffer = 0 })
end

for _, name in ipairs({ "git", "picker", "processes", "tree" }) do
  T.test(name .. " has less than 100 lines", function()
    local path = vim.api.nvim_get_runtime_file("lua/listd/examples/" .. name .. ".lua", false)[1]
    assert(#vim.fn.readfile(path) < 100, "lines: " .. #vim.fn.readfile(path))
  end)
end

-- A repository: its folder, and a function that runs git there and returns its output.
local function repository()
  local dir = T.folder({})
  local function git(...)
    local out = vim.fn.system({ "git", "-C", dir, "-c", "user.name=A", "-c", "user.email=a@b", ... })
    T.equal(vim.v.shell_error, 0, out)
    return out
  end
  git("init", "-q")
  return dir, git
end

T.test("git: hunks one by one", function()
  local dir, git = repository()
  local lines = {}
  for i = 1, 30 do
    lines[i] = "line " .. i
  end
  vim.fn.writefile(lines, dir .. "/poem")
  git("add", ".")
  git("commit", "-qm", "A poem")
  lines[3], lines[27] = "line three", "line twenty-seven"
  vim.fn.writefile(lines, dir .. "/poem")
  vim.fn.writefile({ "x" }, dir .. "/new file")

  local view = require("listd.examples.git").open(dir)
  shows(view, { "staged (0)", "unstaged (1)", "  M poem", "untracked (1)", "  + new file" })
  go("poem")
  keys("<Tab>")
  T.wait("the hunks", function()
    return view.count > 10
  end)
  T.settle(view)
  local warned
  view.warn = function(_, why)
    warned = why
  end
  go("^+line three")
  T.settle(view)
  keys("u") -- it is not staged
  T.settle(view)
  go("^+line twenty-seven")
  T.settle(view)
  keys("s")
  shows(view, { "staged (1)", "  M poem", "unstaged (1)", "  M poem", "@@ -1,6 +1,6 @@", " line 1",
    " line 2", "-line 3", "+line three", " line 4", " line 5", " line 6", "untracked (1)", "  + new file" })
  T.equal(warned, nil)
  T.equal(git("diff", "--cached"):find("twenty") ~= nil and git("diff", "--cached"):find("three") == nil, true)
  go("new file")
  T.settle(view)
  keys("s")
  T.wait("the new file", function()
    return git("diff", "--cached", "--name-only") == "new file\npoem\n"
  end)
  T.wait("the section", function()
    return T.lines(view.buf)[2] == "  A new file"
  end)
  T.settle(view)
  go("poem")
  T.settle(view)
  keys("u")
  T.wait("the poem", function()
    return git("diff", "--cached", "--name-only") == "new file\n"
  end)
  T.settle(view)
  go("^unstaged")
  T.settle(view)
  keys("<Tab>")
  shows(view, { "staged (1)", "  A new file", "unstaged (1)", "untracked (0)" })
  keys("q")
end)

T.test("git: names and settings of all kinds, from a folder in the repository", function()
  local dir, git = repository()
  local names = { "sub/in it", "with space", "grün", "caf\xe9", 'q"uote', "back\\1slash", "two\nlines", "tab\tname", "*", ":(glob)x" }
  local function write(text)
    for _, name in ipairs(names) do
      vim.fn.mkdir(vim.fn.fnamemodify(dir .. "/" .. name, ":h"), "p")
      local file = assert(io.open(dir .. "/" .. name, "w"))
      file:write("caf\xe9\n\n", text, "\n\n")
      file:close()
    end
  end
  write("one")
  git("add", ".")
  git("commit", "-qm", "Names")
  write("two")
  for setting, value in pairs({ ["diff.mnemonicPrefix"] = "true", ["diff.noprefix"] = "true", ["color.ui"] = "always",
    ["diff.external"] = "false", ["diff.context"] = "0", ["diff.suppressBlankEmpty"] = "true", ["diff.relative"] = "true",
    ["apply.whitespace"] = "error", ["status.relativePaths"] = "true" }) do
    git("config", setting, value)
  end
  local view = require("listd.examples.git").open(dir .. "/sub")
  for i = 1, #names do
    T.wait("the names", function()
      return T.lines(view.buf)[1]:find("^staged %(" .. i - 1) and not T.lines(view.buf)[3]:find("^@@")
    end)
    T.settle(view)
    local line = vim.fn.search("^  M ", "cw") -- the first of those that are not staged
    while line < vim.fn.search("^unstaged", "cwn") do
      line = vim.fn.search("^  M ")
    end
    T.go(line)
    T.settle(view)
    keys("<Tab>")
    T.wait("the hunk", function()
      return vim.api.nvim_buf_get_lines(view.buf, line, line + 1, false)[1]:find("^@@ ")
    end)
    T.settle(view)
    T.equal(vim.api.nvim_buf_get_lines(view.buf, line + 1, line + 6, false), { " caf<e9>", " ", "-one", "+two", " " })
    T.go(line + (i % 2 == 0 and 0 or 4)) -- the file, or its hunk
    T.settle(view)
    keys("s")
  end
  T.wait("all names", function()
    return T.lines(view.buf)[1] == "staged (" .. #names .. ")"
  end)
  T.equal(git("diff", "--no-ext-diff", "--name-only"), "")
  T.settle(view)
  T.go(vim.fn.search("in it", "w"))
  keys("<CR>")
  T.wait("the file", function()
    return vim.api.nvim_buf_get_name(0) == vim.loop.fs_realpath(dir) .. "/sub/in it"
  end)
  view:close()
end)

T.test("git: what is collapsed has the cursor on its file", function()
  local dir, git = repository()
  vim.fn.writefile({ "1" }, dir .. "/first")
  vim.fn.writefile({ "1" }, dir .. "/second")
  git("add", ".")
  vim.fn.writefile({ "2" }, dir .. "/first")
  vim.fn.writefile({ "2" }, dir .. "/second")
  local view = require("listd.examples.git").open(dir)
  local collapsed = { "staged (2)", "  A first", "  A second", "unstaged (2)", "  M first", "  M second", "untracked (0)" }
  shows(view, collapsed)
  go("M first")
  T.settle(view)
  keys("<Tab>")
  T.wait("the hunk", function()
    return view.count == 10
  end)
  T.settle(view)
  go("^+2")
  T.settle(view)
  keys("<Tab>")
  shows(view, collapsed)
  T.equal(vim.api.nvim_get_current_line(), "  M first")
  view:close()
end)

T.test("git: outside a repository", function()
  local said, notify = nil, vim.notify
  vim.notify = function(text)
    said = text
  end
  local buf = vim.api.nvim_get_current_buf()
  local dir = T.folder({})
  -- The folder for temporary files may be in a repository.
  vim.env.GIT_CEILING_DIRECTORIES = vim.fn.fnamemodify(dir, ":h")
  require("listd.examples.git").open(dir)
  vim.env.GIT_CEILING_DIRECTORIES = nil
  vim.notify = notify
  assert(said:find("^listd: fatal: not a git repository"), said)
  T.equal(vim.api.nvim_get_current_buf(), buf)
end)

T.test("processes: the cursor and the selection stay on theirs", function()
  local job = vim.fn.jobstart({ "sleep", "600" })
  local pid = vim.fn.jobpid(job)
  local view = require("listd.examples.processes").open()
  T.wait("the processes", function()
    return vim.fn.search("^ *" .. pid .. " .*sleep$", "cw") > 0
  end)
  vim.api.nvim_exec_autocmds("CursorMoved", { buffer = 0 })
  T.settle(view)
  keys("<Space>")
  T.settle(view)
  view:refresh()
  vim.wait(1300)
  assert(vim.api.nvim_get_current_line():match("^ *" .. pid .. " "), vim.api.nvim_get_current_line())
  T.equal(view:selected()[1].id, pid)
  keys("K")
  T.wait("the end", function()
    return vim.fn.jobwait({ job }, 0)[1] ~= -1
  end)
  keys("q")
end)

-- What a person presses in the picker that a script opens; returns what the script has written.
local function pick(script, does)
  local dir = T.folder({})
  vim.fn.writefile({ "local function chosen(...)",
    "  vim.fn.writefile({ vim.json.encode({ ... }) }, '" .. dir .. "/new')",
    "  vim.loop.fs_rename('" .. dir .. "/new', '" .. dir .. "/chosen')", "end",
    "local picker = require('listd.examples.picker')", script }, dir .. "/script.lua")
  local root = debug.getinfo(1, "S").source:sub(2):gsub("Tests/clients/.*", "")
  local terminal = T.terminal("nvim --clean -n --cmd 'set rtp^=" .. vim.fn.fnamemodify(root .. "clients/neovim", ":p")
    .. "' -c 'runtime plugin/listd.lua' -c 'luafile " .. dir .. "/script.lua'", { LISTD = vim.env.LISTD })
  local ok, why = pcall(does, terminal, function(...)
    local wanted = { ... }
    return terminal.wait(table.concat(wanted, ", "), function(screen)
      for _, text in ipairs(wanted) do
        if not screen:find(text, 1, true) then
          return false
        end
      end
      return true
    end)
  end)
  local there = ok and vim.wait(8000, function()
    return vim.fn.filereadable(dir .. "/chosen") == 1
  end, 20)
  terminal.close()
  assert(ok, why)
  assert(there, "nothing was chosen")
  return vim.json.decode(vim.fn.readfile(dir .. "/chosen")[1])
end

T.test("picker: 100,000 lines, and marks that survive the query", function()
  local lines = "local lines = {} for i = 1, 100000 do lines[i] = 'line ' .. i .. ' of é日' end "
  local chosen = pick(lines .. "picker.open(lines, {}, chosen)", function(terminal, shows)
    shows("100000 of 100000", "line 1 of é日")
    terminal.keys("-l", "'7777 !77777 日$")
    shows("\n18 of 100000", "line 7777 of é日")
    terminal.keys("Down", "Tab", "C-u")
    shows("100000 of 100000")
    terminal.keys("-l", "^line\\ 5\\ ")
    shows("\n1 of 100000", "line 5 of é日")
    terminal.keys("Tab", "C-u", "x")
    shows("\n0 of 100000")
    terminal.keys("Enter")
  end)
  T.equal(chosen[1][1], "line 5 of é日")
  T.equal({ #chosen[1], chosen[2][1], chosen[1][2]:find("7777") ~= nil }, { 2, 5, true })
end)

T.test("picker: as vim.ui.select", function()
  local items = "vim.ui.select = picker.select vim.ui.select({ { 'a\\nb' }, { 'b' } }, "
    .. "{ prompt = 'Which? 100%', format_item = function(item) return item[1] end }, chosen)"
  local chosen = pick(items, function(terminal, shows)
    shows("2 of 2", "Which? 100%", "a b")
    terminal.keys("b")
    shows("2 of 2")
    terminal.keys("C-u")
    terminal.keys("-l", "^b")
    shows("\n1 of 2")
    terminal.keys("Tab", "Enter")
  end)
  T.equal(chosen, { { "b" }, 2 })
  chosen = pick(items, function(terminal, shows)
    shows("2 of 2")
    terminal.keys("Escape")
  end)
  T.equal(chosen[1] or vim.NIL, vim.NIL)
end)

T.finish()
