--- The files of a folder as a list: it follows the folder, and stays put under the person's hands.

local listd = require("listd")
local uv = vim.uv or vim.loop

local M = {}

local TEMPLATES = { File = "{name}  {size}", Folder = "{name}/" }
local SETTLED = 50 -- milliseconds after the last change on disk

local function size(bytes)
  for _, unit in ipairs({ "B", "K", "M", "G" }) do
    if bytes < 1000 then
      return string.format(bytes < 10 and unit ~= "B" and "%.1f%s" or "%.0f%s", bytes, unit)
    end
    bytes = bytes / 1024
  end
  return string.format("%.0fT", bytes)
end

--- The items of a folder, folders first, and the names on disk by the items' ids. An item is its
--- inode, so that a file keeps its row when it gets another name.
function M.scan(dir)
  local handle, why = uv.fs_scandir(dir)
  if not handle then
    return nil, why
  end
  local items, names, taken = {}, {}, {}
  for name in function() return uv.fs_scandir_next(handle) end do
    local stat = uv.fs_lstat(dir .. "/" .. name)
    if stat then
      local id = string.format("%.0f", stat.ino)
      if taken[id] then
        id = id .. " " .. name -- another name of the same file
      end
      taken[id], names[id] = true, name
      local folder = stat.type == "directory"
      items[#items + 1] = {
        id = vim.fn.strtrans(id),
        name = vim.fn.strtrans(name),
        size = not folder and size(stat.size) or nil,
        template = folder and "Folder" or "File",
      }
    end
  end
  table.sort(items, function(a, b)
    if a.template ~= b.template then
      return a.template == "Folder"
    end
    return a.name < b.name
  end)
  return items, names
end

--- Shows the files of a folder in the current window.
--- @return table|nil view
function M.open(dir)
  dir = vim.fn.fnamemodify(dir and dir ~= "" and dir or ".", ":p")
  if #dir > 1 then
    dir = dir:gsub("/+$", "")
  end
  local list = "files:" .. dir
  if listd.views[list] then
    vim.api.nvim_set_current_buf(listd.views[list].buf)
    return listd.views[list]
  end
  local names, view = {}, nil
  local watch, timer = uv.new_fs_event(), uv.new_timer()
  local asked, again = false, false

  local function refresh()
    if asked then
      again = true
      return
    end
    local items, found = M.scan(dir)
    if not items then
      return view:warn(found)
    end
    names, asked = found, true
    local section = { id = "files", selectionMode = "multiple", items = items }
    local sent = view:apply({ sections = { section } }, function(err)
      asked = false
      if err and not err.ended then
        view:warn(err.message)
      elseif again then
        again = false
        refresh()
      end
    end)
    asked = asked and sent
  end

  view = listd.view(list, {
    templates = TEMPLATES,
    on_refresh = refresh,
    on_open = function(item, how)
      local path = dir .. "/" .. (names[item.id] or item.name)
      if vim.fn.isdirectory(path) == 1 then
        M.open(path)
      else
        vim.cmd((how or "edit") .. " " .. vim.fn.fnameescape(path))
      end
    end,
    on_close = function()
      timer:close()
      watch:close()
    end,
  })
  vim.api.nvim_buf_set_name(view.buf, "listd://" .. dir)
  vim.api.nvim_set_current_buf(view.buf)
  watch:start(dir, {}, function()
    if not timer:is_closing() then
      timer:start(SETTLED, 0, vim.schedule_wrap(function()
        if not view.closed then
          refresh()
        end
      end))
    end
  end)
  refresh()
  return view
end

return M
