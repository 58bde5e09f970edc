-- Renaming files so that none is lost.
-- Promise: In Neovim, Vim and Emacs new names are shown and confirmed first, and a refusal changes nothing;
--   renaming overwrites no file that another program creates meanwhile, and killed at any step, leaves each file
--   its old or its new name. Also `test_lines.lua`, `test_renaming.vim`, `test_tree.vim`,
--   `listd-renaming-tests.el`, `listd-lines-tests.el`.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local moving = require("listd.moving")
local renaming = require("listd.renaming")
local uv = vim.loop
local names, content, folder = T.names, T.content, T.named

-- Renames files of a folder by pairs of names; returns the problems by old names.
local function rename(dir, pairs_of_names)
  local changes, problems = {}, {}
  for _, pair in ipairs(pairs_of_names) do
    changes[#changes + 1] = { path = dir .. "/" .. pair[1], name = pair[2], was = pair[1] }
  end
  renaming.rename(changes)
  for _, change in ipairs(changes) do
    problems[change.was] = change.problem
  end
  return problems
end

T.test("renaming: swaps, circles, chains, folders and their files", function()
  local dir = folder("a", "b", "c", "d", "e", "f", "sub/x", "sub/y")
  T.equal(rename(dir, {
    { "a", "b" }, { "b", "a" }, -- a swap
    { "c", "d" }, { "d", "e" }, { "e", "c" }, -- a circle
    { "f", "g" },
    { "sub", "lower" }, { "sub/x", "y" }, { "sub/y", "x" }, -- a folder and what is in it
  }), {})
  T.equal(names(dir), { "a", "b", "c", "d", "e", "g", "lower" })
  T.equal(names(dir .. "/lower"), { "x", "y" })
  for now, was in pairs({ a = "b", b = "a", d = "c", e = "d", c = "e", g = "f", ["lower/y"] = "sub/x" }) do
    T.equal(content(dir .. "/" .. now), was)
  end
end)

T.test("renaming: what fails changes nothing, and says why", function()
  local dir = folder("a", "b", "c", "d", "e", "other")
  local long = string.rep("x", 300)
  local problems = rename(dir, {
    { "a", "other" }, -- it exists
    { "b", "a" }, -- it would, if a were renamed
    { "c", "" },
    { "d", "x/y" },
    { "e", long },
    { "gone", "there" },
  })
  T.equal(problems.a, "there is a file of this name")
  T.equal(problems.b, "there is a file of this name")
  T.equal(problems.c, "a name cannot be empty")
  T.equal(problems.d, "a name cannot contain /")
  T.equal(problems.e, "name too long")
  T.equal(problems.gone, "the file was moved or deleted")
  T.equal(rename(dir, { { "a", "z" }, { "b", "z" }, { "c", ".." } }), {
    a = "two lines have this name", b = "two lines have this name", c = ".. is not a name of a file",
  })
  T.equal(names(dir), { "a", "b", "c", "d", "e", "other" })
  for _, name in ipairs(names(dir)) do
    T.equal(content(dir .. "/" .. name), name)
  end
  -- Another file has the path by now.
  local changes = { { path = dir .. "/a", name = "new", file = renaming.id(dir .. "/b") } }
  renaming.rename(changes)
  T.equal(changes[1].problem, "the file was moved or deleted")
end)

T.test("renaming: random permutations lose no file", function()
  math.randomseed(11)
  for _ = 1, 60 do
    local all = { "a", "b", "c", "d", "e", "f", "g" }
    local dir = folder("a", "b", "c", "d", "e")
    local changes = {}
    for i = 1, 5 do
      changes[i] = { all[i], all[math.random(#all)] }
    end
    local problems = rename(dir, changes)
    local there = {}
    for _, name in ipairs(names(dir)) do
      there[content(dir .. "/" .. name)] = name
    end
    for _, change in ipairs(changes) do
      T.equal(there[change[1]], problems[change[1]] and change[1] or change[2], vim.inspect(changes))
    end
  end
end)

-- Does something with the system call that renames, and without it.
local function both_ways(does)
  assert(moving.system_call, "a system call that renames")
  does()
  local system_call = moving.system_call
  moving.system_call = nil
  local ok, why = pcall(does)
  moving.system_call = system_call
  assert(ok, why)
end

T.test("renaming: a system without the system call", function()
  both_ways(function()
    local dir = folder("a", "b", "c", "d", "e", "f", "sub/x", "other/y")
    uv.fs_symlink("nowhere", dir .. "/link")
    vim.fn.mkdir(dir .. "/empty")
    T.equal(rename(dir, {
      { "a", "b" }, { "b", "a" }, { "c", "d" }, { "d", "e" }, { "e", "c" }, { "f", "g" },
      { "sub", "other" }, { "other", "sub" }, { "sub/x", "z" }, { "link", "new link" }, { "empty", "full" },
    }), {})
    T.equal(names(dir), { "a", "b", "c", "d", "e", "full", "g", "new link", "other", "sub" })
    for now, was in pairs({ a = "b", b = "a", d = "c", e = "d", c = "e", g = "f", ["other/z"] = "sub/x", ["sub/y"] = "other/y" }) do
      T.equal(content(dir .. "/" .. now), was)
    end
    T.equal(uv.fs_readlink(dir .. "/new link"), "nowhere")
    vim.fn.mkdir(dir .. "/empty")
    local taken = "there is a file of this name"
    T.equal(rename(dir, { { "full", "empty" }, { "sub", "a" }, { "b", "other" }, { "c", "new link" } }),
      { full = taken, sub = taken, b = taken, c = taken })
  end)
end)

T.test("renaming: a file that is made at the last moment is kept", function()
  both_ways(function()
    local dir, lstat, made = folder("a", "b", "sub/x"), uv.fs_lstat, {}
    uv.fs_lstat = function(path)
      local stat, err = lstat(path)
      if not stat then -- somebody makes the file that was just looked for
        T.write(path, 3)
        table.insert(made, path)
      end
      return stat, err
    end
    local ok, why = pcall(rename, dir, { { "a", "new" }, { "b", "c" }, { "sub", "folder" } })
    uv.fs_lstat = lstat
    assert(ok, why)
    for _, path in ipairs(made) do
      T.equal(content(path), "xxx")
    end
  end)
end)

T.test("renaming: no file of a program that makes the same names is lost", function()
  both_ways(function()
    local changes, all = {}, {}
    for i = 1, 1000 do
      all[i] = string.format("f%04d", i)
    end
    local dir = folder(unpack(all))
    for i, name in ipairs(all) do
      changes[i] = { path = dir .. "/" .. name, name = "g" .. name }
    end
    local made
    local job = vim.fn.jobstart({ "python3", "-c", [[
import os, sys
print("ready", flush=True)
made, last = [], sys.argv[1] + "/f1000"
for i in range(2, 1001):
    while os.path.exists(last) and not os.path.exists(sys.argv[1] + "/gf%04d" % (i - 1)):
        pass
    try:
        os.close(os.open(sys.argv[1] + "/gf%04d" % i, os.O_CREAT | os.O_EXCL))
        made.append("gf%04d" % i)
    except FileExistsError:
        pass
print(" ".join(made))]], dir }, { on_stdout = function(_, lines)
      made = (made or "") .. table.concat(lines, " ")
    end })
    T.wait("the program", function()
      return made
    end)
    renaming.rename(changes)
    vim.fn.jobwait({ job })
    vim.wait(50)
    for name in made:gmatch("gf%d+") do
      T.equal(uv.fs_stat(dir .. "/" .. name).size, 0, "the file of the other program")
    end
    for i, change in ipairs(changes) do
      T.equal(content(change.path), all[i], change.problem)
    end
  end)
end)

T.test("renaming: hard links whose names differ in case are two files", function()
  local dir = folder("a")
  uv.fs_link(dir .. "/a", dir .. "/A")
  T.equal(rename(dir, { { "a", "A" } }), { a = "there is a file of this name" })
end)

T.test("renaming: each file of a long chain is looked at a few times", function()
  local changes, all, count, lstat = {}, {}, 0, uv.fs_lstat
  for i = 1, 500 do
    all[i] = string.format("%04d", i)
  end
  local dir = folder(unpack(all))
  for i = 1, 500 do
    changes[i] = { path = dir .. "/" .. all[i], name = string.format("%04d", i + 1) }
  end
  uv.fs_lstat = function(path)
    count = count + 1
    return lstat(path)
  end
  renaming.rename(changes)
  uv.fs_lstat = lstat
  T.equal(content(dir .. "/0501"), "0500")
  assert(count <= 3 * #changes, count)
end)

-- A program that renames files in circles and is killed before one of its calls.
local KILLED = [[
local uv, moving = vim.loop, require("listd.moving")
local dir, left = vim.env.LISTD_TEST_DIR, tonumber(vim.env.LISTD_TEST_CALLS)
local function counted(call)
  return call and function(...)
    left = left - 1
    if left < 0 then
      uv.kill(uv.os_getpid(), "sigkill")
    end
    return call(...)
  end
end
moving.system_call = vim.env.LISTD_TEST_SYSTEM and counted(moving.system_call)
for _, name in ipairs({ "fs_mkdir", "fs_rmdir", "fs_link", "fs_unlink", "fs_rename" }) do
  uv[name] = counted(uv[name])
end
local changes = {}
for from, to in pairs({ a = "b", b = "a", c = "d", d = "e", e = "c" }) do
  table.insert(changes, { path = dir .. "/" .. from, name = to })
end
require("listd.renaming").rename(changes)
vim.cmd("qall!")
]]

T.test("renaming: after a kill at any moment each file has its old or its new name", function()
  local said, notify = nil, vim.notify
  vim.notify = function(text)
    said = text
  end
  local script, reported = vim.fn.tempname(), 0
  vim.fn.writefile(vim.split(KILLED, "\n"), script)
  for _, system in ipairs({ "", "LISTD_TEST_SYSTEM=1 " }) do
    local calls = 0
    repeat
      local dir = folder("a", "b", "c", "d", "e")
      vim.fn.system(string.format("%sLISTD_TEST_DIR=%s LISTD_TEST_CALLS=%d exec %s --headless --clean -n --cmd 'set rtp^=%s' -c 'luafile %s'",
        system, dir, calls, vim.v.progpath, vim.fn.getcwd() .. "/clients/neovim", script))
      local killed = vim.v.shell_error ~= 0
      local hidden = #names(dir) < 5 or vim.fn.isdirectory(dir .. "/.listd-renaming") == 1
      said = nil
      renaming.mend(dir)
      T.equal(names(dir), { "a", "b", "c", "d", "e" })
      for name, other in pairs({ a = "b", b = "a", c = "e", d = "c", e = "d" }) do
        local was = content(dir .. "/" .. name)
        assert(was == name or was == other, name .. " was " .. was .. ", after " .. calls .. " calls")
      end
      assert(hidden or not said, said)
      reported, calls = reported + (said and 1 or 0), calls + 1
    until not killed
  end
  vim.notify = notify
  assert(reported > 10, "no kill has interrupted a circle")
end)

T.test("renaming: a folder that is opened is mended first", function()
  for _, open in ipairs({ require("listd.examples.tree").open, require("listd.files").open }) do
    local dir = folder(".listd-renaming/a/b", ".listd-renaming/c/d", "sub/.listd-renaming/x/y", "sub/y", "e")
    local said, notify = {}, vim.notify
    vim.notify = function(text)
      said[#said + 1] = text
    end
    local view = open(dir)
    T.wait("the files", function()
      return view.count == 4
    end)
    T.settle(view)
    T.equal(names(dir), { "b", "d", "e", "sub" })
    T.equal(#said, 1)
    assert(said[1]:find("interrupted: [ac] is now [bd], [ac] is now [bd]$"), said[1])
    vim.notify = notify
    vim.fn.search("sub")
    T.go(vim.fn.line("."))
    T.settle(view)
    T.keys("<CR>")
    T.wait("what is in the folder", function()
      return vim.deep_equal(names(dir .. "/sub"), { "x", "y" }) -- undone, as there is another y
    end)
    T.equal(content(dir .. "/sub/y"), "sub/y")
    view:close()
    vim.cmd("enew!")
  end
end)

T.finish()
