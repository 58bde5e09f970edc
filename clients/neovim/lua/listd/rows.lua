--- Which row a line shows, and what is done with it. A line means the row that it showed when it
--- was asked for, whatever changes before the answer comes. The functions are a view's.

local Rows = {}

--- Finds the rows of lines: `done(rows, places)`, with item references and the answers of `locate` for
--- the lines. Both are empty if the lines are not known. `done` is called once.
function Rows:resolve(lines, done)
  local followed = self.cursor_line and self.cursor_line + self.offset
  if #lines == 1 and lines[1] == followed and self.cursor and self.text_revision then
    local row = { path = self.cursor, revision = self.revision }
    return done({ row }, { { at = self.cursor } })
  elseif not self.text_revision then
    return done({}, {})
  end
  local text_revision, revision = self.text_revision, self.revision
  local function nothing()
    done({}, {})
  end
  local function answer(found, at_revision)
    local rows = {}
    for _, place in ipairs(found.lines) do
      if place ~= vim.NIL and place.at then
        rows[#rows + 1] = { path = place.at, revision = at_revision }
      end
    end
    self:distinct(rows, function(items)
      done(items, found.lines)
    end)
  end
  self:ask("locate", { list = self.list, lines = lines }, function(found)
    if self.text_revision == text_revision then
      return answer(found, self.revision)
    end
    -- A change has come first, and these are rows of the new text. A copy of the list as it was
    -- has the text as it was; its paths at that revision name the rows by identity.
    local own = self.client.shared and vim.fn.getpid() .. ":" or ""
    local past = { list = "listd:past:" .. own .. self.list, lines = lines }
    local source = { list = self.list, revision = revision }
    local copied = { list = past.list, snapshot = source, format = "none" }
    self:ask("applySnapshot", copied, function() end, function() end)
    self:ask("locate", past, function(then_)
      answer(then_, revision)
    end, nothing)
    self:ask("removeList", { list = past.list }, function() end, function() end)
  end, nothing)
end

--- Names each item once: a row may have several lines, and an item several rows. What is toggled
--- twice would be as it was.
function Rows:distinct(rows, done)
  if #rows < 2 then
    return done(rows)
  end
  self:ask("locate", { list = self.list, items = rows }, function(found)
    local items, known = {}, {}
    for _, place in ipairs(found.items) do
      local name = place ~= vim.NIL and place.at[1] .. " " .. place.at[2]
      if name and not known[name] then
        known[name] = true
        items[#items + 1] = { path = place.at, revision = found.revision }
      end
    end
    done(items)
  end, function()
    done({})
  end)
end

--- Reads the content of a row: `done(place)` with {item, part, id, section, at, ref}. A header or footer
--- has {section, header = true} or {section, footer = true} and no item. nil if there is nothing.
function Rows:content(row, place, done)
  if not row then
    if place and place ~= vim.NIL and (place.header or place.footer) then
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
    -- The list has changed since: look up the row's new path.
    self:ask("locate", { list = self.list, items = { row } }, function(now)
      local item = now.items[1]
      if item == vim.NIL then
        return done(nil)
      end
      self:content({ path = item.at, revision = now.revision }, nil, done)
    end, nothing)
  end, nothing)
end

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

--- Does something when all that was asked for before has been sent.
function Rows:in_turn(run)
  place_in(self.turns)(run)
end

--- Does something with the rows of lines, in turn: `act(rows, places)`.
function Rows:with_rows(lines, act)
  local ready = place_in(self.turns)
  self:resolve(lines, function(rows, places)
    ready(function()
      act(rows, places)
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
  self:with_rows({ line }, function(rows, places)
    self:ask("getSelection", { list = self.list }, function(selection)
      selected = selection
      both()
    end, function(err)
      ready(function()
        self:warn("getSelection: " .. err.message)
      end)
    end)
    self:content(rows[1], places[1], function(shown)
      place, found = shown, true
      both()
    end)
  end)
end

return Rows
