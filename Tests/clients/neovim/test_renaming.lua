-- Renaming files so that none is lost.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local renaming = require("listd.renaming")
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

T.finish()
