--- The state of a git repository: what is staged, changed and new. <Tab> opens a file into its hunks,
--- which are staged and unstaged one by one.   :lua require("listd.examples.git").open()

local M = {}
-- No name is a pattern, what a person has configured does not matter, and what only reads locks nothing.
local GIT = { "git", "--literal-pathspecs", "--no-optional-locks", "-c", "diff.suppressBlankEmpty=false", "-c",
  "apply.whitespace=nowarn", "-C" }
local DIFF = { "diff", "-U3", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", "--submodule=short",
  "--src-prefix=a/", "--dst-prefix=b/" }
-- Runs git, in a coroutine: what it wrote, and its exit code.
local function git(dir, input, ...)
  local running, written, command = coroutine.running(), {}, vim.list_extend({}, GIT)
  for _, words in ipairs({ { dir }, ... }) do vim.list_extend(command, words) end
  local job = vim.fn.jobstart(command, { stdout_buffered = true,
    on_stdout = function(_, lines) written = vim.tbl_map(function(line) return (line:gsub("\n", "\0")) end, lines) end,
    on_exit = function(_, code) assert(coroutine.resume(running, table.concat(written, "\n"), code)) end })
  vim.fn.chansend(job, input)
  vim.fn.chanclose(job, "stdin")
  return coroutine.yield()
end

-- Bytes that need not be text: as text, the same back, and as text to be read.
local function packed(bytes) return vim.fn.iconv((bytes:gsub("%z", "\n")), "latin1", "utf-8") end
local function unpacked(text) return vim.fn.iconv(text, "utf-8", "latin1") end
local function shown(bytes)
  return (bytes:gsub("[^\t\n\32-\126]+", function(odd) return vim.fn.strtrans((odd:gsub("%z", "\n"))) end))
end

-- The hunks of a file. A hunk is its lines, not their numbers.
local function hunks_of(diff, file)
  local parts = vim.split((diff:gsub("\n$", "")), "\n@@ ", { plain = true })
  return vim.tbl_map(function(part)
    return { id = file.id .. shown(part:match("\n.*")), template = "GitHunk", text = shown("@@ " .. part), file = file,
      patch = packed(parts[1] .. "\n@@ " .. part .. "\n") }
  end, vim.list_slice(parts, 2))
end

function M.open(dir)
  local find = { "git", "-C", vim.fn.fnamemodify(dir or ".", ":p"), "rev-parse", "--show-toplevel" }
  local top = vim.fn.system(find):gsub("\n$", "")
  if vim.v.shell_error ~= 0 then return require("listd.notice")(top) end
  local open, sections, view = { staged = true, unstaged = true, untracked = true }, {}, nil -- what is expanded
  local function show(cursor)
    view:apply({ cursor = cursor, sections = vim.tbl_map(function(section)
      local header, items = section.id .. " (" .. #section .. ")", {}
      for _, file in ipairs(open[section.id] and section or {}) do -- and its hunks
        vim.list_extend(items, open[file[1].id] and file or { file[1] })
      end
      return { id = section.id, header = header, selectionMode = "multiple", items = items }
    end, sections) })
  end
  local refresh = function() coroutine.wrap(function()
    local found, status = {}, git(top, "", { "status", "--porcelain", "-z", "--no-renames", "-uall" })
    for column, id in ipairs({ "staged", "unstaged", "untracked" }) do
      found[column] = { id = id }
      for states, path in status:gmatch("(..) ([^%z]+)%z") do
        local name, state = vim.fn.strtrans(path), states ~= "??" and states:sub(column, column) or column == 3 and "+" or " "
        local file = { id = id .. " " .. name, template = "GitFile", state = state, name = name, path = packed(path),
          section = id }
        local which = vim.list_slice({ "--cached", "--", path }, column) -- "--cached" if it is staged
        local diff = open[file.id] and state:find("[MAD]") and git(top, "", DIFF, which) or ""
        if state:find("%S") then table.insert(found[column], vim.list_extend({ file }, hunks_of(diff, file))) end
      end
    end
    sections = found
    show()
  end)() end

  -- An action that runs git for each selected item, or else the one under the cursor, that is staged or is not.
  local function each(staged, for_file, for_hunk)
    return function() view:act(function(items) coroutine.wrap(function() for _, item in ipairs(items) do
      local file, hunk = item.file or item, item.patch and for_hunk
      local words = hunk or vim.list_extend({ unpack(for_file) }, { "--", unpacked(file.path) })
      local ok = staged ~= (file.section == "staged") or select(2, git(top, unpacked(item.patch or ""), words)) == 0
      local _ = ok or view:warn("git fails: " .. file.name)
    end refresh() end)() end) end
  end
  local function expand() view:item(function(item, place)
    local id = item and (item.file or item).id or place and place.section or ""
    open[id] = not open[id] or nil
    if open[id] then refresh() else show(item and id) end -- with the cursor on the file, not behind its hunks
  end) end

  view = require("listd").view("git:" .. shown(top), {
    templates = { GitFile = "  {state} {name}", GitHunk = "{text}" },
    actions = {
      stage = { each(false, { "add" }, { "apply", "--cached" }), "stage", "s" },
      none = { each(true, { "reset", "--quiet" }, { "apply", "--cached", "--reverse" }), "unstage", "u" },
      expand = { expand, "expand or collapse", "<Tab>" },
    },
    highlights = { { "^+.*", "DiffAdd" }, { "^-.*", "DiffDelete" }, { "^@@.*", "Comment" }, { "^\\l.*", "Title" } },
    on_refresh = refresh, on_open = function(item, how)
      vim.cmd(how .. " " .. vim.fn.fnameescape(top .. "/" .. unpacked((item.file or item).path)))
    end,
  })
  vim.api.nvim_set_current_buf(view.buf)
  return view, refresh()
end
return M
