--- The state of a git repository: what is staged, changed and new. <Tab> opens a file into its hunks,
--- which are staged and unstaged one by one.   :lua require("listd.examples.git").open()

local M = {}
-- Runs git, in a coroutine: what it wrote, with line breaks for zero bytes, and its exit code.
local function git(dir, arguments, input)
  local running, written = coroutine.running(), {}
  local job = vim.fn.jobstart(vim.list_extend({ "git", "-C", dir }, arguments), {
    stdout_buffered = true,
    on_stdout = function(_, lines) written = lines end,
    on_exit = function(_, code) assert(coroutine.resume(running, table.concat(written, "\n"), code)) end,
  })
  vim.fn.chansend(job, input or "")
  vim.fn.chanclose(job, "stdin")
  return coroutine.yield()
end

-- The hunks of a diff, by path.
local function hunks_of(diff, section)
  local found, head, path = {}, "", ""
  for line in diff:gmatch("[^\n]+") do
    local hunks = found[path]
    if line:find("^diff ") then
      head, path = line .. "\n", ""
    elseif line:find("^@@ ") then
      found[path] = hunks or {}
      table.insert(found[path], { template = "GitHunk", path = path, section = section, head = head, text = line,
        id = section .. " " .. path })
    elseif hunks then
      local hunk = hunks[#hunks] -- it is its lines, not their numbers
      hunk.text, hunk.id = hunk.text .. "\n" .. line, hunk.id .. "\n" .. line
    else
      head, path = head .. line .. "\n", line:match("^[-+][-+][-+] [ab]/(.*)") or path
    end
  end
  return found
end

function M.open(dir)
  dir = vim.fn.fnamemodify(dir or ".", ":p")
  local open, view = { staged = true, unstaged = true, untracked = true }, nil -- what is expanded

  local refresh = function() coroutine.wrap(function()
    local status = git(dir, { "status", "--porcelain", "-z", "--no-renames", "-uall" })
    local hunks = { staged = hunks_of(git(dir, { "diff", "--no-renames", "--cached" }), "staged"),
      unstaged = hunks_of(git(dir, { "diff", "--no-renames" }), "unstaged"), untracked = {} }
    local sections = {}
    for column, id in ipairs({ "staged", "unstaged", "untracked" }) do
      local items, files = {}, 0
      for states, path in status:gmatch("(..) ([^\n]+)\n") do
        local new, file = states == "??", id .. " " .. path
        local state = new and column == 3 and "+" or not new and states:sub(column, column) or ""
        if state ~= "" and state ~= " " then
          table.insert(items, { id = file, template = "GitFile", state = state, path = path, section = id })
          vim.list_extend(items, open[file] and hunks[id][path] or {})
          files = files + 1
        end
      end
      sections[column] = { id = id, header = id .. " (" .. files .. ")", selectionMode = "multiple",
        items = open[id] and items or {} }
    end
    view:apply({ sections = sections })
  end)() end

  -- An action that runs git for each selected item, or else the one under the cursor, that is staged or is not.
  local function each(staged, for_file, for_hunk)
    return function() view:act(function(items) coroutine.wrap(function()
      for _, item in ipairs(items) do if staged == (item.section == "staged") then
        local patch = item.head and item.head .. item.text .. "\n"
        local arguments = patch and { unpack(for_hunk) } or vim.list_extend({ unpack(for_file) }, { "--", item.path })
        local _ = select(2, git(dir, arguments, patch)) ~= 0 and view:warn("git fails: " .. item.path)
      end end
      refresh()
    end)() end) end
  end
  local function expand()
    view:item(function(item, place)
      local id = item and item.section .. " " .. item.path or place and place.section or ""
      open[id] = not open[id] or nil
      refresh()
    end)
  end

  view = require("listd").view("git:" .. dir, {
    templates = { GitFile = "  {state} {path}", GitHunk = "{text}" },
    actions = {
      stage = { each(false, { "add" }, { "apply", "--cached" }), "stage", "s" },
      none = { each(true, { "reset", "--quiet" }, { "apply", "--cached", "--reverse" }), "unstage", "u" },
      expand = { expand, "expand or collapse", "<Tab>" },
    },
    highlights = { { "^+.*", "DiffAdd" }, { "^-.*", "DiffDelete" }, { "^@@.*", "Comment" }, { "^\\l.*", "Title" } },
    on_refresh = refresh,
    on_open = function(item, how) vim.cmd(how .. " " .. vim.fn.fnameescape(dir .. item.path)) end,
  })
  vim.api.nvim_set_current_buf(view.buf)
  refresh()
  return view
end
return M
