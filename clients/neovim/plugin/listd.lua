if vim.g.loaded_listd then
  return
end
vim.g.loaded_listd = true

local function command(name, does, how)
  vim.api.nvim_create_user_command(name, does, how)
end

local function with_view(does)
  return function(args)
    local view = require("listd").view_of()
    if view then
      does(view, args)
    else
      vim.notify("listd: there is no list in this buffer", vim.log.levels.WARN)
    end
  end
end

local SELECT = { "toggle", "select", "deselect", "replace", "extend", "all", "none", "invert" }

command("ListdFiles", function(args)
  require("listd.files").open(args.args)
end, { nargs = "?", complete = "dir", desc = "Show the files of a folder" })

command("ListdRefresh", with_view(function(view)
  view:refresh()
end), { desc = "Refresh the list in this buffer" })

command("ListdSelect", with_view(function(view, args)
  if args.range > 0 then
    view:select_lines(args.args, args.line1 - 1, args.line2 - 1)
  else
    view:select(args.args)
  end
end), {
  nargs = 1,
  range = true,
  complete = function(lead)
    return vim.tbl_filter(function(action)
      return vim.startswith(action, lead)
    end, SELECT)
  end,
  desc = "Change the selection of the list in this buffer",
})

command("ListdEdit", with_view(function(view)
  view:edit_lines()
end), { desc = "Edit the lines of the list in this buffer" })

command("ListdLog", function()
  require("listd").show_log()
end, { desc = "Show the messages to and from listd" })

command("ListdStop", function()
  require("listd").stop()
end, { desc = "End listd" })

command("ListdInstall", function()
  require("listd.install").show(require("listd").options.cmd)
end, { desc = "Say whether there is a daemon, and how to get one" })

-- A buffer cannot be replaced while it is being read.
local function restore()
  vim.schedule(function()
    require("listd.files").restore()
  end)
end
local group = vim.api.nvim_create_augroup("listd", {})
vim.api.nvim_create_autocmd("BufReadCmd", { group = group, pattern = "listd:///*", callback = restore })
vim.api.nvim_create_autocmd("SessionLoadPost", { group = group, callback = restore })

vim.api.nvim_set_hl(0, "ListdSelected", { link = "Visual", default = true })
vim.api.nvim_set_hl(0, "ListdSign", { link = "Special", default = true })
