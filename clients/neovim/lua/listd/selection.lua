--- The selected rows of a list, as ranges. They are kept as the JSON text in which the daemon has sent
--- them: every change repeats all of them, and few are read.

local members = require("listd.members")

local Selection = {}
Selection.__index = Selection

local CHUNK = 1000 -- bytes that are compared at a time
local ONE, BRACE = ("1}"):byte(1, 2)
local RANGE = '{"at":%[(%d+),(%d+)%],"count":(%d+)}'

local function range_of(section, row, count)
  return { at = { tonumber(section), tonumber(row) }, count = tonumber(count) }
end

local function new(text)
  return setmetatable({ text = text }, Selection)
end

--- The selection of a state or change.
function Selection.of(state)
  local text = members.raw(state, "selection")
  if text then
    return new(text)
  end
  local ranges = vim.tbl_map(function(range)
    return string.format('{"at":[%d,%d],"count":%d}', range.at[1], range.at[2], range.count)
  end, state.selection)
  return new("[" .. table.concat(ranges, ",") .. "]")
end

function Selection.none()
  return new("[]")
end

function Selection:empty()
  return #self.text == 2
end

--- The number of rows.
function Selection:rows()
  if not self.count then
    self.count = 0
    local text, _, stop = self.text, nil, nil
    repeat
      _, stop = text:find('"count":', (stop or 0) + 1, true)
      if stop and text:byte(stop + 1) == ONE and text:byte(stop + 2) == BRACE then
        self.count = self.count + 1
      elseif stop then
        self.count = self.count + text:match("^%d+", stop + 1)
      end
    until not stop
  end
  return self.count
end

--- Returns at most `most` ranges from a byte offset on, and the offset of the next range, or nil.
function Selection:slice(byte, most)
  local ranges, last = {}, byte
  while #ranges < most do
    local start, stop, section, row, count = self.text:find(RANGE, last)
    if not start then
      return ranges
    end
    ranges[#ranges + 1], last = range_of(section, row, count), stop + 1
  end
  return ranges, self.text:find(RANGE, last)
end

--- Whether a row is selected. O(log ranges).
function Selection:holds(path)
  local low, high, found = 1, #self.text, nil
  while low <= high do
    local middle = math.floor((low + high) / 2)
    local start, stop, section, row, count = self.text:find(RANGE, middle)
    local range = start and range_of(section, row, count)
    local at = range and range.at
    if not range or at[1] > path[1] or at[1] == path[1] and at[2] > path[2] then
      high = middle - 1
    else
      low, found = stop + 1, range
    end
  end
  return found ~= nil and found.at[1] == path[1] and path[2] < found.at[2] + found.count
end

-- The rows that some ranges have and others have not, as ranges.
local function difference(these, those)
  local found, from = {}, 1
  for _, range in ipairs(these) do
    local section, row = range.at[1], range.at[2]
    local stop = row + range.count
    local function before(other, place)
      return other.at[1] < section or other.at[1] == section and other.at[2] + other.count <= place
    end
    while those[from] and before(those[from], row) do
      from = from + 1
    end
    local k = from
    while those[k] and those[k].at[1] == section and those[k].at[2] < stop do
      if those[k].at[2] > row then
        found[#found + 1] = { at = { section, row }, count = those[k].at[2] - row }
      end
      row, k = math.max(row, those[k].at[2] + those[k].count), k + 1
    end
    if row < stop then
      found[#found + 1] = { at = { section, row }, count = stop - row }
    end
  end
  return found
end

--- The rows of this selection that are not in another, and those of the other that are not in this one, as
--- ranges. Only the parts of the two texts that differ are decoded.
function Selection:compare(other)
  local a, b = self.text, other.text
  local shorter = math.min(#a, #b)
  local head, tail = 0, 0
  while head + CHUNK < shorter and a:sub(head + 1, head + CHUNK) == b:sub(head + 1, head + CHUNK) do
    head = head + CHUNK
  end
  while tail + CHUNK < shorter - head and a:sub(-tail - CHUNK, -tail - 1) == b:sub(-tail - CHUNK, -tail - 1) do
    tail = tail + CHUNK
  end
  local function middle(text)
    -- From the last range that begins in the first part to the first one that ends in the last part.
    local first = head
    while first > 1 and text:sub(first, first) ~= "{" do
      first = first - 1
    end
    local last = text:find("}", #text - tail, true) or #text
    return new(text:sub(math.max(first, 1), last)):slice(1, math.huge)
  end
  local mine, theirs = middle(a), middle(b)
  return difference(mine, theirs), difference(theirs, mine)
end

return Selection
