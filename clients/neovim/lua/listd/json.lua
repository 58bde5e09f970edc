--- The JSON text of params, and where params are not what the daemon reads.

local M = {}

--- The position of the first byte that is not part of valid UTF-8, or nil.
local function invalid(text)
  local at = text:find("[\128-\255]")
  while at do
    local byte, size = text:byte(at), nil
    if byte >= 0xC2 and byte <= 0xDF then
      size = text:find("^[\128-\191]", at + 1) and 2
    elseif byte >= 0xE0 and byte <= 0xEF then
      size = text:find("^[\128-\191][\128-\191]", at + 1) and 3
      local second = text:byte(at + 1)
      if size and (byte == 0xE0 and second < 0xA0 or byte == 0xED and second > 0x9F) then
        size = nil
      end
    elseif byte >= 0xF0 and byte <= 0xF4 then
      size = text:find("^[\128-\191][\128-\191][\128-\191]", at + 1) and 4
      local second = text:byte(at + 1)
      if size and (byte == 0xF0 and second < 0x90 or byte == 0xF4 and second > 0x8F) then
        size = nil
      end
    end
    if not size then
      return at
    end
    at = text:find("[\128-\255]", at + size)
  end
end

--- Where in a value something fails a test: a JSON pointer, and the value there.
local function seek(value, fails, pointer)
  if type(value) ~= "table" then
    if fails(value) then
      return pointer, value
    end
    return nil
  elseif #pointer > 4000 then
    return nil -- a table that holds itself
  end
  for key, member in pairs(value) do
    if type(key) == "string" and invalid(key) then
      return pointer .. "/?", key
    end
    local name = type(key) == "number" and key - 1 or key
    local found, what = seek(member, fails, pointer .. "/" .. tostring(name))
    if found then
      return found, what
    end
  end
end

--- The JSON text of params; a string is that already.
--- @return string|nil text, string|nil why there is none
function M.encode(params)
  if type(params) == "string" then
    return params
  elseif params == nil or next(params) == nil then
    return "{}"
  end
  local ok, text = pcall(vim.json.encode, params)
  if ok then
    return text
  end
  local kinds = { ["function"] = true, userdata = true, thread = true }
  local at, what = seek(params, function(value)
    return kinds[type(value)] and value ~= vim.NIL
  end, "/params")
  return nil, at and at .. " is a " .. type(what) .. ", which JSON does not have" or tostring(text)
end

--- Says where params are not UTF-8, or nil if they are.
function M.not_utf8(params)
  if type(params) == "string" then
    local at = invalid(params)
    return at and "/params, byte " .. at .. ", is not UTF-8"
  end
  local at, what = seek(params, function(value)
    return type(value) == "string" and invalid(value) ~= nil
  end, "/params")
  return at and at .. " is not UTF-8: " .. vim.fn.strtrans(what)
end

return M
