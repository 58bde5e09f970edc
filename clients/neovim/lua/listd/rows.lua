--- Which row a line shows, and what is done with it. A line means the row that it showed when it
--- was asked for, whatever changes before the answer comes. The functions are a view's.

local Rows = {}

local SLICE = 500 -- lines that are selected at a time
local NOT_FOUND = -31005 -- the code of an error

-- Runs what is at the front of a queue, as far as it is known what to run.
local function advance(queue)
  while queue[1] and queue[1].run do
    table.remove(queue, 1).run()
  end
end

-- Appends an entry to a queue; returns a function that sets what it runs.
local function place_in(queue)
  local step = {}
  queue[#queue + 1] = step
  return function(run)
    step.run = run
    advance(queue)
  end
end

--- A reference to the item that a line shows. The text must be known.
function Rows:ref(line)
  return { line = line, textRevision = self.text_revision }
end

--- Finds the row of a line: `done(row, place)`, with a reference to the row and the answer of `locate` for
--- the line. Both are nil if the line is not known, and the row if it is none. `done` is called once.
function Rows:resolve(line, done)
  if line == self.cursor_line and self.cursor and self.text_revision then
    return done({ path = self.cursor, revision = self.revision }, { at = self.cursor })
  elseif not self.text_revision then
    return done()
  end
  local text_revision, revision = self.text_revision, self.revision
  local function nothing()
    done()
  end
  local function answer(found, at_revision)
    local place = found.lines[1] ~= vim.NIL and found.lines[1] or nil
    done(place and place.at and { path = place.at, revision = at_revision }, place)
  end
  self:ask("locate", { list = self.list, lines = { line } }, function(found)
    if self.text_revision == text_revision then
      return answer(found, self.revision)
    end
    -- A change has come first, and this is a row of the new text.
    self:locate_in_past(revision, { lines = { line } }, function(past)
      answer(past, revision)
    end, nothing)
  end, nothing)
end

--- Asks `locate` about the list as it was at a revision, by a copy of it, which has the text as it was.
function Rows:locate_in_past(revision, params, done, otherwise)
  local own = self.client.shared and vim.fn.getpid() .. ":" or ""
  params.list = "listd:past:" .. own .. self.list
  local source = { list = self.list, revision = revision }
  local copied = { list = params.list, snapshot = source, format = "none" }
  self:ask("applySnapshot", copied, function() end, function() end)
  self:ask("locate", params, done, otherwise)
  self:ask("removeList", { list = params.list }, function() end, function() end)
end

--- Finds the items of the lines first..last, in slices: `done(items)`, with a reference to each, once: a row may
--- have several lines, and an item several rows. What is toggled twice would be as it was.
function Rows:items(first, last, done)
  local text_revision, items = self.text_revision, {}
  if not text_revision then
    return done({})
  elseif first == last then
    return done({ self:ref(first) })
  end
  local function locate(from)
    -- The last item may have rows in this slice, too. Paths of one answer are comparable.
    local refs, known = { items[#items] }, {}
    local before = #refs
    for line = from, math.min(last, from + SLICE - 1) do
      refs[#refs + 1] = { line = line, textRevision = text_revision }
    end
    self:ask("locate", { list = self.list, items = refs }, function(found)
      for i, place in ipairs(found.items) do
        local name = place ~= vim.NIL and place.at[1] .. " " .. place.at[2]
        if name and not known[name] then
          known[name] = true
          if i > before then
            items[#items + 1] = { path = place.at, revision = found.revision }
          end
        end
      end
      if from + SLICE <= last then
        return locate(from + SLICE)
      end
      done(items)
    end, function()
      done({})
    end)
  end
  locate(first)
end

--- Does an action of `select` with some items, then calls `done(err)`. Items that were deleted meanwhile are
--- left out: the request as a whole would fail.
function Rows:select_some(action, items, done)
  self:ask("select", { list = self.list, action = action, items = items }, function()
    done()
  end, function(err)
    if err.code ~= NOT_FOUND or #items == 1 then
      return done(err)
    end
    self:ask("locate", { list = self.list, items = items }, function(found)
      local rest = {}
      for _, place in ipairs(found.items) do
        if place ~= vim.NIL then
          rest[#rest + 1] = { path = place.at, revision = found.revision }
        end
      end
      if #rest == 0 then
        return done()
      end
      self:select_some(action, rest, done)
    end, done)
  end)
end

--- Does an action of `select` with the items of lines, in turn and in slices.
function Rows:select_items(action, first, last)
  local begin, finish = place_in(self.turns), place_in(self.turns)
  self:items(first, last, function(items)
    local function send(from)
      local some = vim.list_slice(items, from, from + SLICE - 1)
      local how = action == "replace" and from > 1 and "select" or action
      local more = items[from + SLICE] ~= nil
      if #some > 0 then
        self:select_some(how, some, function(err)
          if err and err.code ~= NOT_FOUND and not err.ended then -- a header, or an item that was just deleted
            self:warn("select: " .. err.message)
          elseif more then
            return send(from + SLICE)
          end
          finish(function() end)
        end)
      end
      if not more then
        finish(function() end)
      end
    end
    begin(function()
      send(action == "extend" and math.max(1, #items) or 1) -- up to the last one
    end)
  end)
end

--- Reads the content of a row: `done(place)` with {item, part, id, section, at, ref}. A header or footer
--- has {section, header = true} or {section, footer = true} and no item. nil if there is nothing.
function Rows:content(row, place, done)
  if not row then
    if place and (place.header or place.footer) then
      return done({
        section = place.sectionId or self.section_ids[place.section + 1],
        header = place.header,
        footer = place.footer,
      })
    end
    return done(nil)
  end
  local function nothing()
    done(nil)
  end
  self:ask("locate", { list = self.list, paths = { row.path } }, function(found)
    local here = found.paths[1]
    if found.revision == row.revision and here ~= vim.NIL then
      local content = here.content
      local part = type(content) == "table" and content["$part"] or nil
      return done({
        item = part and content["$item"] or content,
        part = part,
        id = here.id,
        section = here.sectionId or self.section_ids[row.path[1] + 1],
        at = row.path,
        ref = row,
      })
    end
    -- The list has changed since: look up the item's new path, which is that of its first row.
    self:ask("locate", { list = self.list, items = { row } }, function(now)
      local item = now.items[1]
      if item == vim.NIL then
        return done(nil)
      end
      self:content({ path = item.at, revision = now.revision }, nil, function(first)
        if not (first and first.part) then
          return done(first)
        end
        self:locate_in_past(row.revision, { paths = { row.path } }, function(past)
          local content = past.paths[1] ~= vim.NIL and past.paths[1].content
          first.part, first.ref = type(content) == "table" and content["$part"] or nil, row
          done(first)
        end, nothing)
      end)
    end, nothing)
  end, nothing)
end

--- Does something when all that was asked for before has been sent.
function Rows:in_turn(run)
  place_in(self.turns)(run)
end

--- Does something with the row of a line, in turn: `act(row, place)`.
function Rows:with_row(line, act)
  local ready = place_in(self.turns)
  self:resolve(line, function(row, place)
    ready(function()
      act(row, place)
    end)
  end)
end

--- Finds the selected items and what a line shows, both as they are in turn: `act(items, place)`,
--- called in the order of asking.
function Rows:with_selected(line, act)
  local ready = place_in(self.acts)
  local selected, place, found
  local function both()
    if selected and found then
      ready(function()
        act(selected.items, place)
      end)
    end
  end
  self:with_row(line, function(row, at)
    self:ask("getSelection", { list = self.list }, function(selection)
      selected = selection
      both()
    end, function(err)
      ready(function()
        self:warn("getSelection: " .. err.message)
      end)
    end)
    self:content(row, at, function(shown)
      place, found = shown, true
      both()
    end)
  end)
end

return Rows
