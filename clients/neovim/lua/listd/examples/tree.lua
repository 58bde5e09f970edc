--- The files of a folder as a tree. <CR> and <Tab> expand folders, which the daemon reads then and
--- watches. E edits the names, and :w renames the files.   :lua require("listd.examples.tree").open()

local folders, M = require("listd.folders"), {}
local OUTLINE = {
  tree = { parent = "parent" },
  sort = { { by = "lazy", order = "descending" }, { by = "name", as = "natural" } },
}

function M.open(dir)
  dir = vim.fn.fnamemodify(dir or ".", ":p"):gsub("(.)/+$", "%1")
  local source, view = "files of " .. vim.loop.os_getpid() .. "." .. vim.loop.hrtime(), nil
  local function begin()
    folders.show(view, source, dir, OUTLINE)
  end
  view = require("listd").view(source .. ": " .. dir, {
    name = "listd://" .. dir .. "/**",
    templates = { Cell = "{indent:  }{expanded:▾ |▸ |  }{name:line}" },
    highlights = { { "^ *[▾▸].*", "Directory" } },
    actions = { expand = { function(view) view:expand() end, "expand or collapse", "<Tab>" } },
    edit = {
      text = folders.name,
      shown = function(item) return folders.shown(item.name) end,
      commit = function(changes) folders.rename(view, source, dir, changes) end,
    },
    on_refresh = function()
      if not view:alive() and view:attach() then begin() end
    end,
    on_open = function(item, how)
      if item.lazy then return view:expand() end
      vim.cmd(how .. " " .. vim.fn.fnameescape(folders.path(dir, item)))
    end,
    on_close = function() folders.close(view, source) end,
  })
  vim.api.nvim_set_current_buf(view.buf)
  begin()
  return view
end

return M
