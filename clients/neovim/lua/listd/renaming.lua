--- Renames files so that nothing is lost: no file is overwritten, and names may be swapped. Files whose names go round in
--- a circle are put aside, each as `.listd-renaming/OLD/NEW` in their folder, and an interruption then is mended later.

local moving = require("listd.moving")
local uv = vim.uv or vim.loop

local M = {}

local ASIDE = "/.listd-renaming"

--- An identifier that a file keeps when it is renamed, and what `fs_lstat` returns of it; nil if there
--- is no file. If the file has several names, the identifier is that of the name. The time of birth is
--- part of it, as the number of a deleted file is soon given to a new one.
function M.id(path)
  local stat = uv.fs_lstat(path)
  local born = stat and stat.birthtime
  local id = stat and string.format("%.0f:%.0f:%d.%d", stat.dev, stat.ino, born.sec, born.nsec)
  if stat and stat.type ~= "directory" and stat.nlink > 1 then
    id = id .. " " .. vim.fn.strtrans(path)
  end
  return id, stat
end

-- Why a file cannot have a name; nil if it can.
local function unfit(name)
  if name == "" then
    return "a name cannot be empty"
  elseif name:find("/", 1, true) then
    return "a name cannot contain /"
  elseif name == "." or name == ".." then
    return name .. " is not a name of a file"
  end
end

-- Renames a change's file, and says in the change where it is now.
local function move(change, to)
  local problem = moving.move(change.path, to)
  change.path = problem and change.path or to
  return problem
end

-- Puts the file of a change aside; returns why that fails.
local function put_aside(change, dir)
  local aside = dir .. ASIDE .. "/" .. change.from:match("[^/]*$")
  uv.fs_mkdir(dir .. ASIDE, 448)
  uv.fs_mkdir(aside, 448)
  return move(change, aside .. "/" .. change.name)
end

-- Deletes what held the files that were put aside, if there are none.
local function clear_aside(dir, names)
  for _, name in ipairs(names) do
    uv.fs_rmdir(dir .. ASIDE .. "/" .. name)
  end
  uv.fs_rmdir(dir .. ASIDE)
end

-- Renames files in a circle: each has the name that the one before it is to have. Two are exchanged. More are put
-- aside first, as a file must never have a name that is neither its old nor its new one.
local function rotate(circle, dir)
  if #circle == 2 and moving.swap(circle[1].path, circle[2].path) then
    circle[1].path, circle[2].path = circle[1].to, circle[2].to
    return
  end
  local problem
  for _, change in ipairs(circle) do
    problem = problem or put_aside(change, dir)
  end
  for _, change in ipairs(circle) do
    if problem then
      change.problem = problem
    elseif change.path ~= change.to then
      change.problem = move(change, change.to)
    end
    if change.problem and change.path ~= change.from and move(change, change.from) then
      change.problem = change.problem .. "; the file is now " .. change.path
    end
  end
  clear_aside(dir, vim.tbl_map(function(change)
    return change.from:match("[^/]*$")
  end, circle))
end

-- Renames files of one folder. `waiting` are the changes by their paths.
local function rename_in(dir, changes, waiting)
  for _, change in ipairs(changes) do
    local chain = {} -- each has the name that the one before it is to have
    while change and waiting[change.from] do
      chain[#chain + 1], waiting[change.from] = change, nil
      change = waiting[change.to] or change.to == chain[1].from and chain[1]
    end
    if change and chain[2] then
      rotate(chain, dir)
    else
      for i = #chain, 1, -1 do
        chain[i].problem = chain[i].to ~= chain[i].from and move(chain[i], chain[i].to) or nil
      end
    end
  end
end

--- Renames files within their folders. Files in a folder are renamed before the folder is.
--- @param changes table[] {path, name, file}; `file` is its `id` if the path must not be another file
---   by now. One that fails gets a `problem`, a text; else its `path` is the new one
function M.rename(changes)
  local folders, dirs, wanted, waiting = {}, {}, {}, {}
  for _, change in ipairs(changes) do
    local id = change.path and M.id(change.path)
    if not id or change.file and id ~= change.file then
      change.problem = "the file was moved or deleted"
    else
      change.problem = unfit(change.name)
    end
    if not change.problem then
      change.from, change.to = change.path, change.path:match("^.*/") .. change.name
      wanted[change.to] = (wanted[change.to] or 0) + 1
    end
  end
  for _, change in ipairs(changes) do
    if not change.problem and wanted[change.to] > 1 then
      change.problem = "two lines have this name"
    elseif not change.problem then
      local dir = change.path:match("^(.*)/[^/]*$")
      if not folders[dir] then
        folders[dir], dirs[#dirs + 1] = {}, dir
      end
      table.insert(folders[dir], change)
      waiting[change.from] = change
    end
  end
  table.sort(dirs, function(a, b) -- the deepest first
    local _, depth = a:gsub("/", "/")
    local _, other = b:gsub("/", "/")
    return depth > other or depth == other and a < b
  end)
  for _, dir in ipairs(dirs) do
    rename_in(dir, folders[dir], waiting)
  end
end

-- The files that were put aside in a folder: {path, old, new}.
local function find_aside(dir)
  local found, holders = {}, {}
  local function names(path)
    local entries = uv.fs_scandir(path)
    return function()
      return entries and uv.fs_scandir_next(entries)
    end
  end
  for old in names(dir .. ASIDE) do
    holders[#holders + 1] = old
    for new in names(dir .. ASIDE .. "/" .. old) do
      found[#found + 1] = { path = dir .. ASIDE .. "/" .. old .. "/" .. new, old = old, new = new }
    end
  end
  return found, holders
end

--- Finishes a renaming in a folder that was interrupted while files were aside, or undoes it if a new name is taken.
function M.mend(dir)
  local found, holders = find_aside(dir)
  local finishes, mended = true, {}
  local function linked(file, name) -- whether it was being moved by links
    local a, b = uv.fs_lstat(file.path), uv.fs_lstat(dir .. "/" .. name)
    return b and a.ino == b.ino and a.dev == b.dev, b ~= nil
  end
  for _, file in ipairs(found) do
    local same, exists = linked(file, file.new)
    finishes = finishes and (same or not exists)
  end
  for _, file in ipairs(found) do
    local name, problem = finishes and file.new or file.old, nil
    if linked(file, name) then
      uv.fs_unlink(file.path)
    else
      problem = moving.move(file.path, dir .. "/" .. name)
    end
    local how = finishes and " is now " .. name or " has its name again"
    table.insert(mended, file.old .. (problem and " is now " .. file.path .. ", as " .. problem or how))
  end
  clear_aside(dir, holders)
  if #found > 0 then
    local what = string.format("listd: a renaming in %s was interrupted: %s", dir, table.concat(mended, ", "))
    vim.notify(what, vim.log.levels.WARN)
  end
end

return M
