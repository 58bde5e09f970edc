-- Runs tests in this Neovim: T.test(name, function), T.equal, T.wait, T.finish.

local T = { failed = 0, ran = 0 }

local function say(...)
  io.stdout:write(table.concat({ ... }), "\n")
  io.stdout:flush()
end

function T.equal(got, wanted, what)
  if not vim.deep_equal(got, wanted) then
    error((what or "values") .. ":\n  got    " .. vim.inspect(got) .. "\n  wanted "
      .. vim.inspect(wanted), 2)
  end
end

--- Handles events until the condition holds.
function T.wait(what, condition)
  if not vim.wait(5000, condition, 2) then
    error("waited in vain: " .. what, 2)
  end
end

function T.test(name, body)
  T.ran = T.ran + 1
  local start = vim.loop.hrtime()
  local ok, why = xpcall(body, debug.traceback)
  local seconds = string.format("%5.2f s  ", (vim.loop.hrtime() - start) / 1e9)
  say(ok and "ok     " or "FAILED ", seconds, name)
  if not ok then
    T.failed = T.failed + 1
    say(why)
  end
end

--- A folder with files, of so many bytes each.
function T.folder(files)
  local dir = vim.fn.tempname()
  vim.fn.mkdir(dir, "p")
  for name, bytes in pairs(files) do
    T.write(dir .. "/" .. name, bytes)
  end
  return dir
end

function T.write(path, bytes)
  local file = assert(io.open(path, "w"))
  file:write(string.rep("x", bytes))
  file:close()
end

--- The names in a folder.
function T.names(dir)
  local found = {}
  for name in vim.loop.fs_scandir_next, vim.loop.fs_scandir(dir) do
    found[#found + 1] = name
  end
  table.sort(found)
  return found
end

function T.content(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

--- A folder of files that hold their names.
function T.named(...)
  local dir = vim.fn.tempname()
  vim.fn.mkdir(dir, "p")
  for _, name in ipairs({ ... }) do
    if name:find("/") then
      vim.fn.mkdir(vim.fn.fnamemodify(dir .. "/" .. name, ":h"), "p")
    end
    local file = assert(io.open(dir .. "/" .. name, "w"))
    file:write(name)
    file:close()
  end
  return dir
end

function T.lines(buf)
  return vim.api.nvim_buf_get_lines(buf, 0, -1, true)
end

--- Counts the lines that change in a buffer from now on: those that go or come, the larger number.
function T.touched(buf)
  local count = { lines = 0, ranges = {} }
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, _, first, last, new_last)
      count.lines = count.lines + math.max(last, new_last) - first
      count.ranges[#count.ranges + 1] = { first, last, new_last }
    end,
  })
  return count
end

--- Handles events until nothing is under way: each answer may have led to another question.
function T.settle(view)
  local id
  repeat
    id = view.client.last_id
    view.client:request_sync("getLists", {})
    T.wait("settled", function()
      return vim.tbl_isempty(view.client.pending)
    end)
  until view.client.last_id == id + 1
end

--- Goes to a line. Headless, nothing is typed, so no event reports that the cursor has moved.
function T.go(line)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  vim.api.nvim_exec_autocmds("CursorMoved", { buffer = 0 })
end

function T.snapshot(...)
  return { sections = { { id = "s", selectionMode = "multiple", items = { ... } } } }
end

local opened = 0

--- A view of these items, in the current window.
function T.show(options, ...)
  opened = opened + 1
  local view = require("listd").view("list" .. opened, options)
  vim.api.nvim_set_current_buf(view.buf)
  T.change(view, ...)
  return view
end

--- Gives a view these items.
function T.change(view, ...)
  view:apply(T.snapshot(...))
  T.settle(view)
end

function T.selected(view)
  local items = view:selected()
  return items
end

--- The texts of the lines that are marked as selected.
function T.marked(view)
  local space = vim.api.nvim_create_namespace("listd")
  local lines, text = {}, T.lines(view.buf)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(view.buf, space, 0, -1, {})) do
    lines[#lines + 1] = text[mark[2] + 1]
  end
  return lines
end

function T.keys(text)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(text, true, false, true), "x", false)
end

local terminals = 0

--- A program in a terminal of its own: {keys(…), screen(), wait(what, condition of the screen), close()}.
function T.terminal(command, env)
  -- Each has a server of its own: one that is about to end would still accept the next session.
  terminals = terminals + 1
  local socket = "listd-test-" .. vim.fn.getpid() .. "-" .. terminals
  local function tmux(...)
    local out = vim.fn.system(vim.list_extend({ "tmux", "-L", socket, "-f", "/dev/null" }, { ... }))
    if vim.v.shell_error ~= 0 then
      error("tmux: " .. out, 3)
    end
    return out
  end
  local variables = {}
  for name, value in pairs(env or {}) do
    vim.list_extend(variables, { "-e", name .. "=" .. value })
  end
  tmux("new-session", "-d", "-x", "80", "-y", "20", unpack(vim.list_extend(variables, { command })))
  local terminal = {}
  function terminal.keys(...)
    tmux("send-keys", ...)
  end
  function terminal.screen()
    return tmux("capture-pane", "-p")
  end
  function terminal.wait(what, condition)
    local screen
    local shown = vim.wait(30000, function()
      screen = terminal.screen()
      return condition(screen)
    end, 30)
    if not shown then
      error("waited in vain: " .. what .. "\n" .. screen, 2)
    end
    return screen
  end
  function terminal.close()
    pcall(tmux, "kill-server") -- or the program has ended, and the server with it
  end
  return terminal
end

function T.finish()
  say(string.format("neovim: %d passed, %d failed", T.ran - T.failed, T.failed))
  vim.cmd(T.failed > 0 and "cquit 1" or "qall!")
end

return T
