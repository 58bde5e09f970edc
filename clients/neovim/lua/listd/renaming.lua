--- Renames files so that nothing is lost: no file is overwritten, and names may be swapped.

local uv = vim.uv or vim.loop

local M = {}

local function exists(path)
  return uv.fs_lstat(path) ~= nil
end

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

-- Whether two paths are one file, on a disk that ignores case.
local function same(path, other)
  if path:lower() ~= other:lower() then
    return false
  end
  local a, b = uv.fs_lstat(path), uv.fs_lstat(other)
  return a ~= nil and b ~= nil and a.ino == b.ino and a.dev == b.dev
end

-- Renames a file; returns why that fails.
local function rename(from, to)
  if exists(to) and not same(from, to) then
    return "there is a file of this name"
  end
  local _, err = uv.fs_rename(from, to)
  return err and (err:match("^%u+: ([^:]+)") or err)
end

-- A name in a folder that no file has.
local function spare(dir)
  for i = 1, math.huge do
    local path = string.format("%s/.listd-%d-%d", dir, uv.os_getpid(), i)
    if not exists(path) then
      return path
    end
  end
end

-- Renames files of one folder. `waiting` are the changes by their paths.
local function rename_in(dir, changes, waiting)
  while #changes > 0 do
    local blocked = {}
    for _, change in ipairs(changes) do
      if waiting[change.to] and change.to ~= change.path and exists(change.to) then
        blocked[#blocked + 1] = change -- by a file that is renamed itself
      else
        waiting[change.from] = nil
        change.problem = rename(change.path, change.to)
        if not change.problem then
          change.path = change.to
        elseif change.path ~= change.from and rename(change.path, change.from) then
          change.problem = change.problem .. "; the file is now " .. change.path
        elseif change.path ~= change.from then
          change.path = change.from
        end
      end
    end
    if #blocked == #changes then -- in a circle: one of them gets out of the way
      local first, path = blocked[1], spare(dir)
      local problem = rename(first.path, path)
      waiting[first.from] = nil
      if problem then
        first.problem = problem
        table.remove(blocked, 1)
      else
        first.path = path
      end
    end
    changes = blocked
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

return M
