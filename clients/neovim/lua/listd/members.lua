--- Members of messages that may be large: long text edits, which are decoded in slices; the ranges of the selected
--- rows, which every change repeats, and moves, of which many are ignored. They are decoded when they are read.

local M = {}

local MEMBERS = {
  -- The beginning of an array of objects, what stands at its end for the first time, and the bytes that are large.
  -- In a string, the quotes would be escaped.
  { name = "textEdits", start = '[{"range":{', stop = '"}],"moves":', large = 50000 },
  { name = "moves", start = '[{"from":', stop = "}]", large = 6000 },
  { name = "selection", start = '[{"at":[', stop = "}]", large = 4000 },
}

-- The first and last byte of a member that is large, or nil.
local function find(text, member)
  local key, last = '"' .. member.name .. '":', 1
  while true do
    local at, first = text:find(key .. member.start, last, true)
    last = at and text:find(member.stop, first, true)
    if not last then
      return nil
    end
    last = text:find("]", last, true)
    if last - at >= member.large then
      return at + #key, last
    end
  end
end

--- Decodes a message by `decode(text)`. Large members of its params or result are decoded when they are read.
function M.decode(text, decode)
  local raw, rest = {}, text
  for _, member in ipairs(MEMBERS) do
    local first, last = find(rest, member)
    if first then
      raw[member.name] = rest:sub(first, last)
      rest = rest:sub(1, first - 1) .. "0" .. rest:sub(last + 1)
    end
  end
  local message = decode(rest)
  if not next(raw) then
    return message
  end
  local state = type(message) == "table" and (message.params or message.result)
  for name in pairs(raw) do
    if type(state) ~= "table" or state[name] ~= 0 then
      return decode(text) -- an item has a member of that name
    end
    state[name] = nil
  end
  setmetatable(state, {
    raw = raw,
    __index = function(_, name)
      if raw[name] then
        state[name] = decode(raw[name])
        return rawget(state, name)
      end
    end,
  })
  return message
end

--- The JSON text of a large member of a state or change, or nil.
function M.raw(state, name)
  local meta = getmetatable(state)
  return meta and meta.raw and meta.raw[name]
end

return M
