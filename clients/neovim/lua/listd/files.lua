--- The files of a folder as a list: it follows the folder, and stays put under the person's hands.

local Folder = require("listd.folder")
local listd = require("listd")
local uv = vim.uv or vim.loop

local M = { open_folders = {} }

local TEMPLATES = { File = "{name}  {size}", Folder = "{name}/" }
local SETTLED = 50 -- milliseconds from a change on disk to looking at it
local MANY = 200 -- names that change at once, from which on the whole folder is read again

--- Follows a folder by a view: what changes on disk is looked at soon, by its name.
local function follow(folder, view_of)
  local watch, timer = uv.new_fs_event(), uv.new_timer()
  local names, count, whole, busy = {}, 0, false, false
  local look

  local function finished(err)
    busy = false
    if err and not err.ended then
      whole = true -- the list is not what was thought
      if not err.data then
        return view_of():warn(err.message)
      end
    end
    if whole or count > 0 then
      look()
    end
  end

  function look()
    local view = view_of()
    if busy or view.closed or view.unloaded then
      return
    end
    busy = true
    if whole or count > MANY or not view:alive() then
      names, count, whole = {}, 0, false
      return folder:read(function(err)
        if view.closed then
          return
        elseif err then
          busy = false
          return view:warn(err)
        end
        busy = view:apply(folder:snapshot(), finished)
      end)
    end
    local seen = names
    names, count = {}, 0
    local edits = folder:look(seen)
    if #edits == 0 then
      busy = false
    else
      busy = view:edit_items(edits, finished)
    end
  end

  local function begin()
    watch:stop()
    watch:start(folder.dir, {}, function(err, name)
      if err or not name then
        whole = true
      elseif not names[name] then
        names[name], count = true, count + 1
      end
      if not timer:is_closing() and not timer:is_active() then
        timer:start(SETTLED, 0, vim.schedule_wrap(look))
      end
    end)
  end
  return {
    refresh = function()
      begin() -- the folder may have been removed and made again
      whole = true
      look()
    end,
    close = function()
      timer:close()
      watch:close()
    end,
  }
end

--- Shows the files of a folder in the current window.
--- @return table|nil view
function M.open(dir)
  dir = vim.fn.fnamemodify(dir and dir ~= "" and dir or ".", ":p")
  if #dir > 1 then
    dir = dir:gsub("/+$", "")
  end
  local view = M.open_folders[dir]
  if view then
    vim.api.nvim_set_current_buf(view.buf)
    return view
  end
  local folder = Folder.new(dir)
  local following = follow(folder, function()
    return view
  end)
  view = listd.view("files:" .. dir, {
    name = "listd://" .. dir,
    templates = TEMPLATES,
    on_refresh = following.refresh,
    on_open = function(item, how)
      local found = folder.by_id[item.id]
      local path = dir .. "/" .. (found and found.name or item.name)
      if vim.fn.isdirectory(path) == 1 then
        M.open(path)
      else
        vim.cmd((how or "edit") .. " " .. vim.fn.fnameescape(path))
      end
    end,
    on_close = function()
      M.open_folders[dir] = nil
      following.close()
    end,
  })
  M.open_folders[dir] = view
  vim.api.nvim_set_current_buf(view.buf)
  following.refresh()
  return view
end

--- Shows the folders of buffers that only have the name of one, as after a session was loaded or by
--- `:edit listd:///folder`.
function M.restore()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local dir = vim.api.nvim_buf_get_name(buf):match("^listd://(/.*)$")
    local windows = vim.fn.win_findbuf(buf)
    if #windows > 0 and dir and vim.fn.isdirectory(dir) == 1 and not listd.view_of(buf) then
      for _, win in ipairs(windows) do
        vim.api.nvim_win_call(win, function()
          vim.cmd("enew | setlocal bufhidden=wipe")
        end)
      end
      vim.api.nvim_buf_delete(buf, { force = true })
      for _, win in ipairs(windows) do
        vim.api.nvim_win_call(win, function()
          M.open(dir)
        end)
      end
    end
  end
end

return M
