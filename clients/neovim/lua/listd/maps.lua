--- Actions of a view, by name, and the keys that do them.

local M = {}

--- The actions that every view has: {does(view), description, key}.
M.actions = {
  open = { function(view) view:open("edit") end, "open the item", "<CR>" },
  split = { function(view) view:open("split") end, "open it in a split", "<C-s>" },
  toggle = { function(view) view:select("toggle") end, "select or deselect the row", "<Space>" },
  extend = { function(view) view:select("extend") end, "select up to this row", "x" },
  all = { function(view) view:select("all") end, "select all", "a" },
  none = { function(view) view:select("none") end, "select none", "u" },
  invert = { function(view) view:select("invert") end, "select the others", "i" },
  edit = { function(view) view:edit_lines() end, "edit the lines", "E" },
  refresh = { function(view) view:refresh() end, "refresh", "R" },
  close = { function(view) M.close(view) end, "close the list", "q" },
}

--- Closes a view; its windows show the buffer that they showed before.
function M.close(view)
  for _, win in ipairs(vim.fn.win_findbuf(view.buf)) do
    vim.api.nvim_win_call(win, function()
      local before = vim.fn.bufnr("#")
      if before > 0 and before ~= view.buf and vim.fn.buflisted(before) == 1 then
        vim.cmd("buffer " .. before)
      else
        vim.cmd("enew")
      end
    end)
  end
  vim.api.nvim_buf_delete(view.buf, { force = true })
end

--- All actions of a view: those of every view, and its option `actions`, {name = function(view)} or
--- {name = {function(view), description, key}}.
local function actions_of(view)
  local all = vim.tbl_extend("force", {}, M.actions)
  all.edit = view.options.edit and all.edit or nil
  for name, action in pairs(view.options.actions or {}) do
    all[name] = type(action) == "table" and action or { action, name }
  end
  return all
end

--- Does an action of a view.
function M.run(view, name)
  local action = actions_of(view)[name]
  if not action then
    error("listd: there is no action " .. tostring(name), 2)
  end
  action[1](view)
end

-- Does an action for a key. What it raises is reported in one line.
local function press(view, action)
  if view.client then
    view.client:_guard(action[1], view)
  else
    action[1](view)
  end
end

--- Sets the keys of a view's buffer: what the view's option `maps` says, then the person's, then the
--- actions' own. `maps` is false for none, or {action = key, keys or false}.
function M.set(view, persons)
  local own = view.options.maps
  if own == false or persons == false then
    return
  end
  local leader = vim.g.mapleader or "\\"
  for name, action in pairs(actions_of(view)) do
    local keys = persons and persons[name]
    if keys == nil then
      keys = own and own[name]
    end
    if keys == nil then
      keys = action[3]
    end
    for _, key in ipairs(type(keys) == "table" and keys or { keys or nil }) do
      -- A key that begins the person's own maps must wait for what follows.
      local raw = vim.api.nvim_replace_termcodes(key, true, true, true)
      local how = { buffer = view.buf, nowait = raw ~= leader, desc = "listd: " .. action[2] }
      vim.keymap.set("n", key, function()
        press(view, action)
      end, how)
      if name == "toggle" then
        vim.keymap.set("x", key, function()
          local from, to = vim.fn.line("v"), vim.fn.line(".")
          view:select_lines("toggle", math.min(from, to) - 1, math.max(from, to) - 1)
          vim.api.nvim_feedkeys("\27", "nx", false)
        end, how)
      end
    end
  end
end

--- Highlights the text of a view's buffer: its option `highlights`, a list of {pattern, group}.
function M.highlight(view)
  vim.api.nvim_buf_call(view.buf, function()
    for _, one in ipairs(view.options.highlights or {}) do
      vim.cmd(string.format("syntax match %s /%s/", one[2], vim.fn.escape(one[1], "/")))
    end
  end)
end

return M
