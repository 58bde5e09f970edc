--- Chooses items by what is typed. What is marked stays so whatever is typed next.
---   :lua vim.ui.select = require("listd.examples.picker").select

local M, api = {}, vim.api
local SHOWN, SLICE = 100, 2000 -- lines; items that are sent at a time, for a key must not wait
local space = api.nvim_create_namespace("listd.examples.picker")

-- Highlights what was matched.
local function highlight(view)
  local lines = api.nvim_buf_get_lines(view.buf, 0, view.count, false)
  local numbers = vim.tbl_map(function(number) return number - 1 end, vim.tbl_keys(lines))
  view:ask("locate", { list = view.list, lines = numbers, match = true }, function(found)
    api.nvim_buf_clear_namespace(view.buf, space, 0, -1)
    for i, place in ipairs(found.lines) do
      local match = place ~= vim.NIL and place.match ~= vim.NIL and place.match
      for _, range in ipairs(match and match.ranges.text or {}) do
        local function byte(unit) return vim.str_byteindex(lines[i], unit, true) end
        api.nvim_buf_add_highlight(view.buf, space, "Special", i - 1, byte(range[1]), byte(range[2]))
      end
    end
  end, function() end) -- the lines have changed again
end

--- @param options table prompt; format_item(item), else `tostring`; single
--- @param done function done(chosen, numbers), or done(nil) if nothing was chosen
function M.open(items, options, done)
  local source, view, window, prompt, best = "picked from " .. vim.fn.getpid(), nil, nil, nil, nil
  local function close(...)
    local finish = done
    done = function() end
    vim.cmd("stopinsert")
    vim.cmd(string.format("silent! bwipeout! %d %d", prompt, view.buf))
    finish(...)
  end
  local function search() -- in turn: after what was done with the lines of another query
    local query = api.nvim_buf_get_lines(prompt, 0, 1, false)[1]
    local wanted = { match = { query = query }, window = { count = SHOWN }, selection = "source" }
    local params = { list = view.list, sources = { source }, view = wanted }
    view:in_turn(function() view:ask("compose", params, function(change) best = change.revision end) end)
  end
  local function add(first)
    local edit, make = { edit = "appendItems", items = {} }, options.format_item or tostring
    local params = { list = source, edits = { edit }, format = "none" }
    for i = first, math.min(first + SLICE - 1, #items) do
      edit.items[i - first + 1] = { id = i, text = make(items[i]):gsub("[\r\n]", " ") }
    end
    view:ask("editSnapshot", params, function() return first + SLICE <= #items and add(first + SLICE) end)
  end
  local function move(by)
    local line = math.max(1, math.min(api.nvim_win_get_cursor(window)[1] + by, view.count))
    api.nvim_win_set_cursor(window, { line, 0 })
  end
  local function mark(by)
    api.nvim_win_call(window, function() return options.single or view:select("toggle") end)
    move(by)
  end
  local function choose()
    local under
    view:at(api.nvim_win_get_cursor(window)[1] - 1, function(item) under = item end)
    view:in_turn(function()
      view:ask("getSelection", { list = source }, function(marked)
        local chosen, numbers = {}, {}
        for i, item in ipairs(#marked.items > 0 and marked.items or { under }) do
          chosen[i], numbers[i] = items[item.id], item.id
        end
        close(chosen[1] and chosen, numbers)
      end)
    end)
  end
  view = require("listd").view("picked " .. vim.fn.getpid(), { maps = false, namespace = "picker", on_change = function(_, change)
    vim.wo[window].statusline = string.format("%d of %d", change.view.matched, change.view.total)
    if change.revision == best then
      best = api.nvim_win_set_cursor(window, { 1, 0 })
    end
    highlight(view)
  end, on_close = function() view.client:request("removeList", { list = source }) end })
  view:ask("applySnapshot", { list = source, sections = { { id = "main", items = {}, selectionMode = "multiple" } } })
  vim.cmd("botright 12split | buffer " .. view.buf)
  window = api.nvim_get_current_win()
  vim.cmd("aboveleft 1new")
  prompt, vim.bo.buftype, vim.bo.bufhidden = api.nvim_get_current_buf(), "nofile", "wipe"
  vim.wo.statusline, vim.wo[window].cursorline = (options.prompt or "Pick"):gsub("%%", "%%%%"), true
  for _, map in ipairs({ { "<CR>", choose }, { "<Esc>", close }, { "<C-c>", close }, { "<Down>", move, 1 },
    { "<C-n>", move, 1 }, { "<Up>", move, -1 }, { "<C-p>", move, -1 }, { "<Tab>", mark, 1 }, { "<S-Tab>", mark, -1 } }) do
    vim.keymap.set({ "i", "n" }, map[1], function() map[2](map[3]) end, { buffer = prompt })
  end
  api.nvim_create_autocmd({ "TextChangedI", "TextChanged" }, { buffer = prompt, callback = search })
  api.nvim_create_autocmd("BufWipeout", { buffer = prompt, callback = vim.schedule_wrap(function() close() end) })
  vim.cmd("startinsert")
  search()
  return #items > 0 and add(1), view
end

function M.select(items, options, on_choice)
  local function done(chosen, numbers) on_choice(chosen and chosen[1], chosen and numbers[1]) end
  M.open(items, vim.tbl_extend("force", options, { single = true }), done)
end

return M
