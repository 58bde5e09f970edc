--- Sends a large snapshot in parts, so that no key waits until all of it is encoded. The parts are
--- collected in a list beside, which is applied as one change. The functions are a view's.

local Sending = {}

local PART = 1000 -- items that are sent at a time
local number = 0 -- of the list beside

-- The edits that append sections to an empty list, in parts. Items are not copied.
local function parts_of(sections)
  local parts, room = { {} }, PART
  for _, section in ipairs(sections) do
    local own, items, first = vim.tbl_extend("force", {}, section), section.items or {}, 1
    repeat
      if room <= 0 then
        parts[#parts + 1], room = {}, PART
      end
      local some = vim.list_slice(items, first, first + room - 1)
      local edit
      if first == 1 then
        own.items, edit = some, { edit = "appendSections", sections = { own } }
      else
        edit = { edit = "appendItems", section = section.id, items = some }
      end
      table.insert(parts[#parts], edit)
      first, room = first + math.max(#some, 1), room - #some - 1
    until first > #items
  end
  return parts
end

local function size(sections)
  local items = #sections
  for _, section in ipairs(sections) do
    items = items + (type(section.items) == "table" and #section.items or 0)
  end
  return items
end

--- Asks for a change of the list. A large snapshot is sent in parts; what is asked meanwhile waits.
function Sending:send(method, params, done)
  if self.sending then
    table.insert(self.sending, { method, params, done })
    return
  end
  local sections = method == "applySnapshot" and type(params) == "table"
    and (params.sections or params.items and { { id = "main", items = params.items } })
  if type(sections) ~= "table" or size(sections) <= PART then
    self.client:request(method, params, done)
    return
  end
  number = number + 1
  local own = self.client.shared and vim.fn.getpid() .. ":" or ""
  local beside = "listd:next:" .. own .. number .. ":" .. self.list
  self.sending = {}
  self:send_part(beside, parts_of(sections), 0, params, done)
end

function Sending:send_part(beside, parts, index, params, done)
  local client = self.client
  local function sent(err)
    if not err and self.closed then
      err = { message = "the view was closed", ended = true }
    end
    if not err and parts[index + 1] then
      return self:send_part(beside, parts, index + 1, params, done)
    elseif err then
      done(err)
    else
      if self.count == 0 and not self.rereading then
        self.following = false -- the change would have all of the text
        self:subscribe("none")
      end
      local all = vim.tbl_extend("force", params, { snapshot = { list = beside } })
      all.sections, all.items = nil, nil
      client:request("applySnapshot", all, done)
      if not self.following then
        self:follow()
      end
    end
    client:request("removeList", { list = beside })
    self:send_later()
  end
  if index == 0 then
    client:request("applySnapshot", { list = beside, sections = {}, format = "none" }, sent)
  else
    client:request("editSnapshot", { list = beside, edits = parts[index], format = "none" }, sent)
  end
end

--- Sends what was asked meanwhile.
function Sending:send_later()
  local later = self.sending or {}
  self.sending = nil
  for _, one in ipairs(later) do
    self:send(unpack(one, 1, 3))
  end
end

return Sending
