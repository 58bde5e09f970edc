--- The files of a folder, sorted, folders first: read in slices, then followed by name.

local renaming = require("listd.renaming")
local slices = require("listd.slices")
local uv = vim.uv or vim.loop

local Folder = {}
Folder.__index = Folder

local RUN = 100 -- files that are sorted at once

local function size(bytes)
  for _, unit in ipairs({ "B", "K", "M", "G" }) do
    if bytes < 1000 then
      return string.format(bytes < 10 and unit ~= "B" and "%.1f%s" or "%.0f%s", bytes, unit)
    end
    bytes = bytes / 1024
  end
  return string.format("%.0fT", bytes)
end

local function printable(text)
  return text:find("[^\32-\126]") and vim.fn.strtrans(text) or text
end

function Folder.new(dir)
  return setmetatable({ dir = dir, order = {}, by_name = {}, by_id = {} }, Folder)
end

-- What is known of a file, or nil if there is none. `file` stays as it is if the file gets another name.
local function entry(self, name)
  local file, stat = renaming.id(self.dir .. "/" .. name)
  local folder = stat and stat.type == "directory"
  return file and {
    name = name,
    key = (folder and "0" or "1") .. name,
    file = file,
    inode = string.format("%.0f", stat.ino),
    item = {
      name = printable(name),
      size = not folder and size(stat.size) or nil,
      template = folder and "Folder" or "File",
    },
  }
end

-- Gives an entry the id of a file that had its name or, with another name, was the same file; else one that
-- is not among `taken`.
local function identify(new, old, taken)
  local id = old and old.id or new.inode
  if not old and taken[id] then
    id = id .. " " .. new.item.name -- another name of the same file, or its number was that of another one
    while taken[id] do
      id = id .. "'"
    end
  end
  new.id, new.item.id, taken[id] = id, id, new
end

local function sort(files)
  table.sort(files, function(a, b)
    return a.key < b.key
  end)
  return files
end

-- One sorted array of two.
local function merge(a, b, pause)
  local merged, i, j = {}, 1, 1
  for k = 1, #a + #b do
    if not b[j] or a[i] and a[i].key <= b[j].key then
      merged[k], i = a[i], i + 1
    else
      merged[k], j = b[j], j + 1
    end
    if k % 100 == 0 then
      pause()
    end
  end
  return merged
end

-- Reads and sorts all entries, and pauses whenever that is called.
local function scan(self, handle, pause)
  local runs, run, by_name, taken, unknown, lost = {}, {}, {}, {}, {}, {}
  for name in function() return uv.fs_scandir_next(handle) end do
    local found, old = entry(self, name), self.by_name[name]
    if found then
      by_name[name] = found
      if old then
        identify(found, old, taken)
      else
        unknown[#unknown + 1] = found
      end
      run[#run + 1] = found
    end
    if #run == RUN then
      runs[#runs + 1], run = sort(run), {}
    end
    pause()
  end
  for name, old in pairs(self.by_name) do
    if not by_name[name] then
      lost[old.file], taken[old.id] = old, old
    end
    pause()
  end
  for _, found in ipairs(unknown) do
    identify(found, lost[found.file], taken)
    lost[found.file] = nil
    pause()
  end
  for id, found in pairs(taken) do
    if by_name[found.name] ~= found then
      taken[id] = nil
    end
    pause()
  end
  runs[#runs + 1] = sort(run)
  while #runs > 1 do -- the first two are the shortest
    local merged = merge(table.remove(runs, 1), table.remove(runs, 1), pause)
    runs[#runs + 1] = merged
  end
  self.order, self.by_name, self.by_id = runs[1], by_name, taken
end

--- Reads the whole folder in slices: `done(err)`, later.
function Folder:read(done)
  renaming.mend(self.dir)
  uv.fs_scandir(self.dir, vim.schedule_wrap(function(err, handle)
    if err then
      return done(err)
    end
    slices.run(function(pause)
      scan(self, handle, pause)
    end, done)
  end))
end

--- The snapshot of all files.
function Folder:snapshot()
  local items = {}
  for i, file in ipairs(self.order) do
    items[i] = file.item
  end
  return { sections = { { id = "files", selectionMode = "multiple", items = items } } }
end

-- The index of the first file whose key is not less.
local function index(order, key)
  local low, high = 1, #order + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if order[middle].key < key then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

--- Looks at some names again: the edits of the list that this takes.
--- @param names table a set
function Folder:look(names)
  local gone, came, lost = {}, {}, {}
  for name in pairs(names) do
    local old, new = self.by_name[name], entry(self, name)
    if old then
      table.remove(self.order, index(self.order, old.key))
      self.by_name[name], gone[old.id] = nil, old
    end
    if new then
      new.before, came[#came + 1] = old, new
    elseif old then
      lost[old.file] = old
    end
  end
  for _, new in ipairs(came) do
    new.before = new.before or lost[new.file]
    if new.before then
      lost[new.file] = nil
    end
    identify(new, new.before, self.by_id)
    self.by_name[new.name] = new
  end
  table.sort(came, function(a, b)
    return a.key > b.key
  end)
  local deleted, updated, edits, placed = {}, {}, {}, {}
  for _, new in ipairs(came) do
    local at, old = index(self.order, new.key), new.before
    local after = self.order[at]
    table.insert(self.order, at, new)
    gone[new.id], new.before = nil, nil
    if old and not vim.deep_equal(old.item, new.item) then
      updated[#updated + 1] = new.item
    end
    if not old or old.key ~= new.key then
      local how = old and { edit = "moveItems", items = { new.id } }
        or { edit = after and "insertItems" or "appendItems", items = { new.item } }
      if after then
        how.before = after.id
      else
        how.section = "files"
      end
      placed[#placed + 1] = how
    end
  end
  for id in pairs(gone) do
    deleted[#deleted + 1], self.by_id[id] = id, nil
  end
  if #deleted > 0 then
    edits[1] = { edit = "deleteItems", items = deleted }
  end
  if #updated > 0 then
    edits[#edits + 1] = { edit = "updateItems", items = updated }
  end
  return vim.list_extend(edits, placed)
end

return Folder
