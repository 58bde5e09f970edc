--- The files of a folder as a tree. <CR> and <Tab> expand folders, which are read then and watched. E
--- edits the names, and :w renames the files.   :lua require("listd.examples.tree").open()

local M, renaming, uv = {}, require("listd.renaming"), vim.uv or vim.loop
local SLICE, PART = 3e6, 500 -- nanoseconds that reading takes at a time; items that are sent at a time
local FOLDERS = { by = "lazy", order = "descending" }

function M.open(dir)
  dir = vim.fn.fnamemodify(dir or ".", ":p"):gsub("(.)/+$", "%1")
  local source, view, files = "files of " .. uv.os_getpid() .. "." .. uv.hrtime(), nil, {}
  local function path_of(id)
    return id == "" and dir or path_of(files[id].parent):gsub("/$", "") .. "/" .. files[id].name
  end
  local function forget(id, deleted)
    for child in pairs(files[id].children) do forget(child, deleted) end
    local _ = files[id].watch and files[id].watch:close()
    files[id] = nil
    table.insert(deleted, id)
  end

  -- Reads a folder in slices; what was made, changed or removed becomes edits of the list.
  local function look(id) coroutine.wrap(function()
    local this, folder = coroutine.running(), files[id]
    local function resume(...) assert(coroutine.resume(this, ...)) end
    if not folder or folder.busy then return folder and rawset(folder, "again", true) end
    folder.busy, folder.again = true, nil
    if not folder.watch then renaming.mend(path_of(id)) end
    folder.watch = folder.watch or uv.new_fs_event()
    folder.watch:start(path_of(id), {}, vim.schedule_wrap(function()
      folder.soon = folder.soon or vim.defer_fn(function() folder.soon = look(id) end, 50)
    end))
    local err, entries = coroutine.yield(uv.fs_scandir(path_of(id), vim.schedule_wrap(resume)))
    local seen, made, changed, deleted, start = {}, {}, {}, {}, uv.hrtime()
    for name in function() return entries and uv.fs_scandir_next(entries) end do
      if files[id] ~= folder then return end
      local child, stat = renaming.id(path_of(id) .. "/" .. name)
      local item = { id = child, parent = id ~= "" and id or nil, name = vim.fn.strtrans(name), template = "File",
        lazy = stat and stat.type == "directory" or nil }
      local file = files[child] or { children = {}, parent = id }
      if child then
        if not vim.deep_equal(file.item, item) then table.insert(file.item and changed or made, item) end
        files[file.parent].children[child] = nil -- it may have been in another folder
        files[child], folder.children[child], seen[child] = file, true, true
        file.name, file.parent, file.item = name, id, item
      end
      if uv.hrtime() - start > SLICE then
        vim.defer_fn(resume, 1)
        start = coroutine.yield() or uv.hrtime()
      end
    end
    for child in pairs(err and {} or folder.children) do
      if not seen[child] then folder.children[child] = forget(child, deleted) end
    end
    for kind, items in pairs({ deleteItems = deleted, updateItems = changed, appendItems = made }) do
      for first = 1, #items, PART do
        local edit = { edit = kind, items = vim.list_slice(items, first, first + PART - 1) }
        view:ask("editSnapshot", { list = source, edits = { edit }, format = "none" }, nil, function() end)
      end
    end
    folder.busy = err and not err:find("^ENOENT") and view:warn(err)
    return folder.again and look(id)
  end)() end

  local function begin()
    if files[""] then forget("", {}) end
    files[""] = { children = {} }
    view:ask("applySnapshot", { list = source, sections = { { id = "files", items = {}, selectionMode = "multiple" } } })
    local outline = { tree = { parent = "parent" }, sort = { FOLDERS, { by = "name", as = "natural" } } }
    view:compose({ sources = { source }, view = outline })
    look("")
  end
  local function commit(changes)
    for _, change in ipairs(changes) do
      change.path, change.name, change.file = files[change.id] and path_of(change.id), change.text, change.id
    end
    renaming.rename(changes)
    for _, change in ipairs(changes) do look(files[change.id] and files[change.id].parent) end
  end
  view = require("listd").view("tree:" .. dir, {
    name = "listd://" .. dir .. "/**", templates = { File = "{indent:  }{expanded:▾ |▸ |  }{name}" },
    highlights = { { "^ *[▾▸].*", "Directory" } },
    edit = { commit = commit, text = function(item) return files[item.id].name end },
    actions = { expand = { function(view) view:expand() end, "expand or collapse", "<Tab>" } },
    on_expand = function(_, items) vim.tbl_map(look, items) end,
    on_refresh = function()
      if not view:alive() then return view:attach() and begin() end
      for id, file in pairs(files) do local _ = file.watch and look(id) end
    end,
    on_open = function(item, how)
      if item.lazy then view:expand() else vim.cmd(how .. " " .. vim.fn.fnameescape(path_of(item.id))) end
    end,
    on_close = function() forget("", {}) view:ask("removeList", { list = source }) end,
  })
  vim.api.nvim_set_current_buf(view.buf)
  begin()
  return view
end

return M
