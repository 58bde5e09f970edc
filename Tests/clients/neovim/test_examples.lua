-- The examples, used as a person would.

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

for _, name in ipairs({ "git", "processes" }) do
  T.test(name .. " has less than 100 lines", function()
    local path = vim.api.nvim_get_runtime_file("lua/listd/examples/" .. name .. ".lua", false)[1]
    assert(#vim.fn.readfile(path) < 100, "lines: " .. #vim.fn.readfile(path))
  end)
end

T.test("git: hunks one by one", function()
  local dir = T.folder({})
  local function git(...)
    local out = vim.fn.system({ "git", "-C", dir, "-c", "user.name=A", "-c", "user.email=a@b", ... })
    T.equal(vim.v.shell_error, 0, out)
    return out
  end
  local lines = {}
  for i = 1, 30 do
    lines[i] = "line " .. i
  end
  vim.fn.writefile(lines, dir .. "/poem")
  git("init", "-q")
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
  go("^+line twenty-seven")
  T.settle(view)
  keys("s")
  shows(view, { "staged (1)", "  M poem", "unstaged (1)", "  M poem", "@@ -1,6 +1,6 @@", " line 1",
    " line 2", "-line 3", "+line three", " line 4", " line 5", " line 6", "untracked (1)", "  + new file" })
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

T.finish()
