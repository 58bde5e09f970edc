--- Folders whose files are lists: the daemon reads, follows and edits them.

local json = require("listd.json")
local uv = vim.uv or vim.loop

local M = {}

local WAIT = 30000 -- milliseconds that renaming waits for the daemon

local function beside(source)
  return source .. ", as it was"
end

-- Names that are not UTF-8 are rare, and Neovim 0.7 has no function for this.
local function base64(text, decodes)
  local answer = vim.fn.system(decodes and { "base64", "-d" } or "base64", text)
  return decodes and answer or answer:gsub("\n", "")
end

--- A text as templates show it in one line.
function M.shown(text)
  return (text:gsub("[%z\1-\31\127]", function(char)
    return "^" .. string.char((char:byte() + 64) % 128)
  end))
end

--- The name of an item's file on disk.
function M.name(item)
  return item.bytes and base64(item.bytes, true) or item.name
end

--- The path of an item's file below a folder.
function M.path(dir, item)
  local above = (dir .. "/" .. item.path):gsub("/+", "/"):match("^.*/")
  if not uv.fs_stat(above) then -- it has a folder whose name is not UTF-8
    above = vim.fn.escape(above:gsub("\\x%x%x", "\1"), "\\*?[{`$"):gsub("\1", "?")
    above = vim.fn.glob(above, true, true)[1] or above
  end
  return above .. M.name(item)
end

--- Has the daemon fill the list `source` with the files of a folder, and shows a view of them.
--- @param definition table the `view` of `compose`
--- @param more table|nil other members of the feed
function M.show(view, source, dir, definition, more)
  local from = vim.tbl_extend("force", { folder = dir, hidden = true, ignored = true }, more or {})
  view:ask("feed", { list = source, from = from, selectionMode = "multiple", allowsEdits = true })
  local function look()
    view:ask("getLists", {}, function(found)
      for _, list in ipairs(found.lists) do
        if list.list == source and list.reading then
          return vim.defer_fn(look, 20)
        end
      end
      if view.count == 0 then
        view.following = false -- the change would have all of the text
        view:subscribe("none")
      end
      -- The view is removed with the connection, also if Neovim is killed.
      local own = view.client:has("compose.temporary") or nil
      view:compose({ sources = { source }, view = definition, temporary = own })
      if not view.following then
        view:follow()
      end
    end)
  end
  look() -- what another daemon has shown stays until all is read
end

-- Has the daemon make those of some changes that can be made together; the others get a problem.
local function edit(client, source, changes)
  while changes[1] do
    local items = vim.tbl_map(function(change)
      local isText = not json.not_utf8(change.text)
      return { id = change.id, name = isText and change.text or nil, bytes = not isText and base64(change.text) or nil }
    end, changes)
    local edits = { { edit = "updateItems", items = items } }
    local _, err = client:request_sync("editSnapshot", { list = source, edits = edits, format = "none" }, WAIT)
    local problems, left = {}, {}
    for _, problem in ipairs(err and err.data and err.data.problems or {}) do
      problems[problem.id or ""] = problem.reason
    end
    for _, change in ipairs(err and changes or {}) do
      change.problem = problems[change.id]
      left[#left + 1] = not change.problem and change or nil
    end
    if #left == #changes then
      for _, change in ipairs(changes) do
        change.problem = err.message
      end
      return
    end
    changes = left
  end
end

-- Finds the files of changes whose ids are those of a daemon that has ended, by their paths then, in a list beside.
local function find(view, source, dir, changes)
  local client, known, depth, ids, lists = view.client, view.past or {}, 1, {}, nil
  for _, change in ipairs(changes) do
    depth = math.max(depth, select(2, change.item.path:gsub("/", "")) + 1)
  end
  if known.client == client and known.depth >= depth then
    return known.ids
  end
  local from = { folder = dir, depth = depth, hidden = true, ignored = true }
  client:request_sync("feed", { list = source, from = from, allowsEdits = true }, WAIT)
  vim.wait(WAIT, function()
    lists = client:request_sync("getLists", {}) or { lists = {} }
    for _, list in ipairs(lists.lists) do
      if list.list == source then
        return not list.reading
      end
    end
    return true
  end, 10)
  local snapshot = client:request_sync("getSnapshot", { list = source, members = { "path" } }, WAIT)
  for _, item in ipairs(snapshot and snapshot.sections[1] and snapshot.sections[1].items or {}) do
    ids[item.path] = item.id
  end
  view.past = { client = client, depth = depth, ids = ids }
  return ids
end

--- Renames files by changes of edited lines; see |view:edit_lines()|. No file is overwritten, and names may be swapped.
function M.rename(view, source, dir, changes)
  if not view:alive() then
    view:refresh()
  end
  if not (changes[1] and changes[1].past) then
    return edit(view.client, source, changes)
  end
  local ids = find(view, beside(source), dir, changes)
  edit(view.client, beside(source), vim.tbl_filter(function(change)
    change.id = ids[change.item.path]
    change.problem = not change.id and "it is no longer there" or nil
    return change.id
  end, changes))
end

--- Removes the lists of a view that is closed.
function M.close(view, source)
  for _, list in ipairs({ view.list, source, view.past and beside(source) }) do
    view.client:request("removeList", { list = list })
  end
end

return M
