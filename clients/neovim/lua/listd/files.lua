--- The files of a folder as a list: it follows the folder, and stays put under the person's hands.

local folders = require("listd.folders")
local listd = require("listd")
local uv = vim.uv or vim.loop

local M = { open_folders = {} }

local TEMPLATES = { File = "{name:line}  {size:bytes}", Folder = "{name:line}/", Link = "{name:line} -> {target:line}" }
local ORDER = { { by = "lazy", order = "descending" }, { by = "name" } }

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
  local source = "files of " .. uv.os_getpid() .. "." .. uv.hrtime()
  local function begin()
    folders.show(view, source, dir, { sort = ORDER }, { identity = "name", templates = true })
  end
  view = listd.view(source .. ": " .. dir, {
    name = "listd://" .. dir,
    templates = TEMPLATES,
    restarts = true,
    on_refresh = function()
      if not view:alive() and view:attach() then
        begin()
      end
    end,
    on_open = function(item, how)
      local path = folders.path(dir, item)
      if vim.fn.isdirectory(path) == 1 then
        M.open(path)
      else
        vim.cmd((how or "edit") .. " " .. vim.fn.fnameescape(path))
      end
    end,
    on_close = function()
      M.open_folders[dir] = nil
      folders.close(view, source)
    end,
  })
  M.open_folders[dir] = view
  vim.api.nvim_set_current_buf(view.buf)
  begin()
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
