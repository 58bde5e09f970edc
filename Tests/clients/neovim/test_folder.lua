-- What is known of a folder, beside a model of it, under random changes.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local Folder = require("listd.folder")

local NAMES = { "a", "b", "c", "d", "e", "f", "g", "h" }
local bytes = 0

-- Makes, replaces, deletes or renames a file. `files` are the numbers of the files by name.
local function change(dir, files)
  local name, other = NAMES[math.random(#NAMES)], NAMES[math.random(#NAMES)]
  local what = math.random(4)
  if what == 1 then
    os.remove(dir .. "/" .. name)
    files[name] = nil
  elseif what == 2 and files[name] and name ~= other then
    os.rename(dir .. "/" .. name, dir .. "/" .. other)
    files[name], files[other] = nil, files[name]
  elseif what > 2 then
    bytes = bytes + 1
    T.write(dir .. "/.new", bytes)
    os.rename(dir .. "/.new", dir .. "/" .. name)
    files[name] = bytes
  end
end

-- The items after edits.
local function edited(items, edits)
  local function index(id)
    for i, item in ipairs(items) do
      if item.id == id then
        return i
      end
    end
    return #items + 1
  end
  for _, edit in ipairs(edits) do
    for _, item in ipairs(edit.items) do
      if edit.edit == "deleteItems" then
        assert(table.remove(items, index(item)), "an item to delete")
      elseif edit.edit == "updateItems" then
        assert(items[index(item.id)], "an item to update")
        items[index(item.id)] = item
      else
        local old = edit.edit == "moveItems" and assert(table.remove(items, index(item)), "an item to move")
        assert(old or not items[index(item.id)], "a new item")
        table.insert(items, index(edit.before), old or item)
      end
    end
  end
  return items
end

T.test("files keep their rows by name, else as the same file, however they are looked at", function()
  math.randomseed(5)
  local dir = T.folder({})
  local folder, files, items = Folder.new(dir), {}, {}
  for round = 1, 300 do
    local before, ids, names = vim.deepcopy(files), {}, {}
    for _, item in ipairs(items) do
      ids[item.name] = item.id
    end
    for _ = 1, math.random(4) do
      change(dir, files)
    end
    if math.random(2) == 1 then
      local read
      folder:read(function(err)
        assert(not err, err)
        read = true
      end)
      T.wait("the folder", function()
        return read
      end)
      items = vim.deepcopy(folder:snapshot().sections[1].items)
    else
      for _, name in ipairs(NAMES) do
        names[name] = true
      end
      items = edited(items, vim.deepcopy(folder:look(names)))
      T.equal(items, folder:snapshot().sections[1].items, "round " .. round)
    end
    local wanted, known = {}, {}
    for _, id in pairs(ids) do
      known[id] = true
    end
    for name, file in pairs(files) do
      wanted[name] = before[name] and ids[name]
      for other, same in pairs(before) do
        if not before[name] and not files[other] and same == file then
          wanted[name] = ids[other]
        end
      end
    end
    T.equal(#items, vim.tbl_count(files))
    for _, item in ipairs(items) do
      local what = string.format("round %d: %s had %s", round, item.name, vim.inspect(ids))
      assert(files[item.name], what)
      T.equal(folder.by_id[item.id].name, item.name, what)
      if wanted[item.name] then
        T.equal(item.id, wanted[item.name], what)
      else
        assert(not known[item.id], what)
      end
    end
    T.equal(vim.tbl_count(folder.by_id), #items)
  end
end)

T.finish()
