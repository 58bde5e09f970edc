--- Messages to the person: one line each, so that nobody has to press Enter.

local uv = vim.uv or vim.loop

local AGAIN = 10000 -- milliseconds before the same message is shown again
local TOGETHER = 100 -- milliseconds in which only the first message is shown

local shown, last = {}, -math.huge

--- Shows a message, unless it was shown just now.
--- @param text string
--- @param level integer|nil one of `vim.log.levels`, WARN without it
return function(text, level)
  local now = uv.now()
  text = "listd: " .. text:gsub("%s*\n%s*", " ")
  if now - last < TOGETHER or now - (shown[text] or -math.huge) < AGAIN then
    return
  end
  shown[text], last = now, now
  local room = math.max(20, vim.v.echospace)
  if vim.fn.strdisplaywidth(text) > room then
    text = vim.fn.strcharpart(text, 0, room - 1) .. "…"
  end
  vim.notify(text, level or vim.log.levels.WARN)
end
