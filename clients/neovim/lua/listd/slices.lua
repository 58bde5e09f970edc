--- Work in slices of a few milliseconds. Between them the editor handles keys.

local uv = vim.uv or vim.loop

local M = {}

local SLICE = 3e6 -- nanoseconds

--- Calls `work(pause)`, then, in a turn of its own, `done(err, result)` with what it has raised or returned.
--- The work calls `pause` often.
function M.run(work, done)
  local start
  local thread = coroutine.create(work)
  local function pause()
    if uv.hrtime() - start > SLICE then
      coroutine.yield()
    end
  end
  local function go()
    start = uv.hrtime()
    local ok, result = coroutine.resume(thread, pause)
    if coroutine.status(thread) == "suspended" then
      return vim.defer_fn(go, 1)
    end
    vim.schedule(function()
      if ok then
        done(nil, result)
      else
        done(result)
      end
    end)
  end
  go()
end

return M
