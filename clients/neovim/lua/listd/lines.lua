--- Editing the lines of a list, as oil.nvim does: a buffer with a line for each row, in the list's
--- window. Lines may be moved. Writing the buffer asks, and passes the texts that were changed to the
--- list's owner. The list goes on following.

local Tracking = require("listd.tracking")

local M = {}

local SLICE = 500 -- lines that are resolved at a time
local WAIT = 5000 -- milliseconds that writing waits for the daemon
local SHOWN = 20 -- changes that the question before writing shows
local space = vim.api.nvim_create_namespace("listd.lines")

--- Finds the items that references refer to now: `done(found, err)`, with {id, item} or false for
--- each reference.
local function resolve(view, refs, done, first, found)
  first, found = first or 1, found or {}
  if first > #refs then
    return done(found)
  end
  local function failed(err)
    done(nil, err.message)
  end
  local function continue()
    resolve(view, refs, done, first + SLICE, found)
  end
  local items = vim.list_slice(refs, first, first + SLICE - 1)
  view:ask("locate", { list = view.list, items = items }, function(there)
    local paths, index = {}, {}
    for i, place in ipairs(there.items) do
      found[first + i - 1] = false
      if place ~= vim.NIL then
        paths[#paths + 1], index[#index + 1] = place.at, first + i - 1
      end
    end
    if #paths == 0 then
      return continue()
    end
    view:ask("locate", { list = view.list, paths = paths }, function(here)
      if here.revision ~= there.revision then
        return resolve(view, refs, done, first, found) -- the paths are those of another revision
      end
      for i, row in ipairs(here.paths) do
        local part = type(row.content) == "table" and row.content["$part"]
        local item = part and row.content["$item"] or row.content
        found[index[i]] = { id = row.id, item = item, at = paths[i] }
      end
      continue()
    end, failed)
  end, failed)
end

-- The bytes of a line, counted from 0, before the text that can be changed; 0 if that is unknown.
local function start_of(edit, line)
  local row = edit.rows[edit.tracking:row(line)]
  local text = vim.api.nvim_buf_get_lines(edit.buf, line, line + 1, false)[1]
  return row and text and vim.startswith(text, row.before) and #row.before or 0
end

--- Divides the lines into what stays and what can be changed: the member at the end of the line.
local function rows_of(options, lines, found)
  local rows, known = {}, {}
  for i, line in ipairs(lines) do
    local item = found[i] and found[i].item
    local shown = type(item) == "table" and item[options.member or "name"] or item
    shown = options.shown and type(item) == "table" and options.shown(item) or shown
    local path = found[i] and table.concat(found[i].at, " ")
    rows[i] = { number = i, before = line }
    if type(shown) == "string" and shown ~= "" and vim.endswith(line, shown) and not known[path] then
      known[path] = true
      local text = options.text and options.text(item) or shown
      -- A line break in a text is a zero byte in the buffer, as Neovim has it.
      text = text:gsub("\n", "\0")
      rows[i] = { number = i, before = line:sub(1, #line - #shown), text = text, id = found[i].id, item = item }
    end
  end
  return rows
end

-- Keeps the cursor and what is typed behind the text that stays.
local function guard(edit)
  local function at_start()
    local line, cursor = vim.api.nvim_get_current_line(), vim.api.nvim_win_get_cursor(0)
    local start, column = start_of(edit, cursor[1] - 1), cursor[2]
    return column <= start, start, line, column
  end
  local function to_start(before, after_empty)
    return function()
      local _, start, line = at_start()
      if #line == start then
        return "<Esc>" .. after_empty
      end
      return "<Esc>" .. vim.fn.strdisplaywidth(line:sub(1, start)) + 1 .. "|" .. before
    end
  end
  local function map(mode, keys, does)
    for _, key in ipairs(keys) do
      vim.keymap.set(mode, key, does, { buffer = edit.buf, expr = true, desc = "listd: keep to the text" })
    end
  end
  map("n", { "0", "^", "<Home>" }, to_start("", "$"))
  map("n", { "I" }, to_start("i", "A"))
  map("n", { "cc", "S" }, to_start("C", "A"))
  for _, key in ipairs({ "<BS>", "<C-h>", "<C-w>" }) do
    map("i", { key }, function()
      return at_start() and "" or key
    end)
  end
  map("i", { "<C-u>" }, function()
    local _, start, line, column = at_start()
    return string.rep("<BS>", vim.fn.strchars(line:sub(start + 1, column)))
  end)
  vim.api.nvim_create_autocmd({ "CursorMoved", "CursorMovedI" }, { buffer = edit.buf, callback = function()
    local before, start = at_start()
    if before then
      vim.api.nvim_win_set_cursor(0, { vim.api.nvim_win_get_cursor(0)[1], start })
    end
  end })
end

-- What is wrong with lines, by number; the changes; the number of rows without a line.
local function read(edit)
  local problems, changes, new, missing = {}, {}, {}, {}
  local rows = edit.tracking:rows()
  for _, row in ipairs(edit.rows) do
    missing[row.number] = row
  end
  for lnum, line in ipairs(vim.api.nvim_buf_get_lines(edit.buf, 0, -1, true)) do
    local numbers = rows[lnum - 1]
    local row = numbers and edit.rows[numbers[1]]
    for _, number in ipairs(numbers or {}) do
      missing[number] = nil
    end
    if not row then
      new[lnum] = line:find("%S") and line or nil
    elseif numbers[2] then
      problems[lnum] = "several lines were joined here"
    elseif not vim.startswith(line, row.before) or not row.text and line ~= row.before then
      problems[lnum] = row.text and "only the text behind the indent can be changed"
        or "this line cannot be changed"
    elseif row.text and line:sub(#row.before + 1) ~= row.text then
      local text = line:sub(#row.before + 1):gsub("%z", "\n")
      changes[#changes + 1] = { lnum = lnum, row = row, text = text }
    end
  end
  -- A line that was deleted and inserted elsewhere changes nothing, whichever of equal ones it was.
  local unchanged = {}
  for number, row in pairs(missing) do
    local line = row.before .. (row.text or "")
    unchanged[line] = unchanged[line] or {}
    table.insert(unchanged[line], number)
  end
  for lnum, line in pairs(new) do
    local number = unchanged[line] and table.remove(unchanged[line])
    if number then
      missing[number] = nil
    else
      problems[lnum] = "this line is new, and lines cannot be added"
    end
  end
  local deleted = 0
  for _, row in pairs(missing) do
    deleted = deleted + (row.text and 1 or 0)
  end
  return problems, changes, deleted
end

-- Asks whether to carry out changes.
local function confirmed(changes)
  if #changes == 0 or require("listd").options.confirm_renames == false then
    return true
  end
  local shown, most = {}, math.max(1, math.min(SHOWN, vim.o.lines - 6))
  for i, change in ipairs(vim.list_slice(changes, 1, most)) do
    local old = change.row.text:gsub("%z", "\n")
    shown[i] = vim.fn.strtrans(old) .. " → " .. vim.fn.strtrans(change.text)
  end
  if #changes > most then
    shown[most + 1] = "and " .. #changes - most .. " more"
  end
  local yes = vim.fn.confirm(table.concat(shown, "\n"), "&Yes\n&No", 2) == 1
  vim.cmd("redraw") -- or the next message waits for a key
  return yes
end

-- Whether the daemon that knows the rows runs.
local function knows(edit)
  return edit.view:alive() and edit.view.client == edit.client
end

-- Finds the items of changes as they are now, and has the owner commit them. If the daemon that knows the rows has ended,
-- they are as they were when editing began.
local function commit(edit, changes)
  local view, refs, found, why = edit.view, {}, nil, nil
  local knows = not edit.view.closed and knows(edit)
  for i, change in ipairs(changes) do
    -- The line refers to the row by identity, as long as its text is known; after that, the id does.
    local line = { line = change.row.number - 1, textRevision = edit.text_revision }
    refs[2 * i - 1], refs[2 * i] = line, change.row.id
  end
  if view.closed then
    why = "the list is not there any more"
  elseif knows then
    resolve(view, refs, function(...)
      found, why = ...
    end)
    vim.wait(WAIT, function()
      return found or why
    end, 1)
  end
  local present = {}
  for i, change in ipairs(changes) do
    local now = found and (found[2 * i - 1] or found[2 * i])
    if not (knows or view.closed) then
      now, change.past = change.row, true
    end
    if now then
      change.id, change.item = now.id, now.item
      present[#present + 1] = change
    else
      change.problem = found and "it was deleted" or why or "the daemon does not answer"
    end
  end
  local ok, err = pcall(view.options.edit.commit, present)
  for _, change in ipairs(ok and {} or present) do
    change.problem = tostring(err):match("[^\n]*")
  end
end

local function count(number, what)
  return number .. " " .. what .. (number == 1 and "" or "s")
end

-- Goes to a row in the list.
local function follow(edit, row)
  local view = edit.view
  if not row or not row.id or not knows(edit) then
    return
  end
  view:ask("locate", { list = view.list, items = { row.id }, text = true }, function(found)
    local place = found.items[1]
    if place ~= vim.NIL and place.line < view.count and vim.api.nvim_get_current_buf() == view.buf then
      vim.api.nvim_win_set_cursor(0, { place.line + 1, 0 })
    end
  end, function() end)
end

-- Commits the changes of the buffer. Lines that fail stay as they are, with the reason beside them.
local function write(edit)
  local view, buf = edit.view, edit.buf
  local problems, changes, missing = read(edit)
  if not confirmed(changes) then
    return
  elseif #changes > 0 then
    commit(edit, changes)
  end
  local done = 0
  for _, change in ipairs(changes) do
    if change.problem then
      problems[change.lnum] = change.problem
    else
      change.row.text, done = change.text:gsub("\n", "\0"), done + 1
    end
  end
  local wrong = vim.tbl_keys(problems)
  table.sort(wrong)
  vim.api.nvim_buf_clear_namespace(buf, space, 0, -1)
  for _, lnum in ipairs(wrong) do
    vim.api.nvim_buf_set_extmark(buf, space, lnum - 1, 0, {
      virt_text = { { "← " .. problems[lnum], "WarningMsg" } },
    })
  end
  vim.bo[buf].modified = #wrong > 0
  local text = "listd: " .. count(done, "line") .. " changed"
  if missing > 0 then
    text = text .. ", " .. count(missing, "deleted line") .. " ignored: nothing is removed"
  end
  if #wrong > 0 then
    vim.api.nvim_win_set_cursor(0, { wrong[1], start_of(edit, wrong[1] - 1) })
    view:warn(text:sub(8) .. ", " .. count(#wrong, "line") .. " not: " .. problems[wrong[1]])
    return
  end
  vim.api.nvim_echo({ { text } }, true, {})
  local number = edit.tracking:row(vim.api.nvim_win_get_cursor(0)[1] - 1)
  vim.schedule(function() -- after the command, which may be :wq
    for _, win in ipairs(vim.fn.win_findbuf(buf)) do
      if vim.api.nvim_buf_is_valid(view.buf) then
        vim.api.nvim_win_set_buf(win, view.buf)
      end
    end
    if not (view.closed or view:alive()) then
      view:refresh()
    end
    follow(edit, edit.rows[number])
  end)
end

-- Shows the lines in a window.
local function show(view, win, rows, text_revision)
  local buf = vim.api.nvim_create_buf(false, false)
  local set, cursor = vim.bo[buf], vim.api.nvim_win_get_cursor(win)
  view.editing = buf
  vim.api.nvim_buf_set_name(buf, vim.api.nvim_buf_get_name(view.buf) .. " (editing " .. buf .. ")")
  set.buftype, set.bufhidden, set.swapfile, set.undolevels = "acwrite", "wipe", false, -1
  vim.api.nvim_buf_set_lines(buf, 0, -1, true, vim.tbl_map(function(row)
    return row.before .. (row.text or "")
  end, rows))
  set.undolevels, set.modified, set.filetype = vim.go.undolevels, false, "listd-lines"
  local edit = { view = view, client = view.client, buf = buf, rows = rows, text_revision = text_revision,
    tracking = Tracking.new(buf) }
  vim.api.nvim_create_autocmd("BufWinEnter", { buffer = buf, callback = function()
    vim.cmd("setlocal nowrap signcolumn=yes")
  end })
  vim.api.nvim_create_autocmd("BufWriteCmd", { buffer = buf, callback = function()
    write(edit)
  end })
  guard(edit)
  vim.api.nvim_win_set_buf(win, buf)
  local lnum = math.min(cursor[1], #rows)
  vim.api.nvim_win_set_cursor(win, { lnum, start_of(edit, lnum - 1) })
end

--- Edits the lines of a view in the current window; see |view:edit()|.
function M.open(view)
  local win, text_revision = vim.api.nvim_get_current_win(), view.text_revision
  if not view.options.edit then
    return view:warn("the lines of this list cannot be edited")
  elseif view.editing and vim.api.nvim_buf_is_valid(view.editing) then
    return vim.api.nvim_win_set_buf(win, view.editing)
  elseif not text_revision or view.count == 0 then
    return
  end
  local lines, refs = vim.api.nvim_buf_get_lines(view.buf, 0, view.count, true), {}
  for i = 1, #lines do
    refs[i] = { line = i - 1, textRevision = text_revision }
  end
  resolve(view, refs, function(found, why)
    if not found then
      return view:warn(why)
    elseif vim.api.nvim_win_is_valid(win) and vim.api.nvim_win_get_buf(win) == view.buf then
      show(view, win, rows_of(view.options.edit, lines, found), text_revision)
    end
  end)
end

return M
