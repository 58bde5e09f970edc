-- Runs tests in this Neovim: T.test(name, function), T.equal, T.wait, T.finish.

local T = { failed = 0, ran = 0 }

local function say(...)
  io.stdout:write(table.concat({ ... }), "\n")
  io.stdout:flush()
end

function T.equal(got, wanted, what)
  if not vim.deep_equal(got, wanted) then
    error((what or "values") .. ":\n  got    " .. vim.inspect(got) .. "\n  wanted "
      .. vim.inspect(wanted), 2)
  end
end

--- Handles events until the condition holds.
function T.wait(what, condition)
  if not vim.wait(5000, condition, 2) then
    error("waited in vain: " .. what, 2)
  end
end

function T.test(name, body)
  T.ran = T.ran + 1
  local ok, why = xpcall(body, debug.traceback)
  say(ok and "ok       " or "FAILED   ", name)
  if not ok then
    T.failed = T.failed + 1
    say(why)
  end
end

--- A folder with files, of so many bytes each.
function T.folder(files)
  local dir = vim.fn.tempname()
  vim.fn.mkdir(dir, "p")
  for name, bytes in pairs(files) do
    T.write(dir .. "/" .. name, bytes)
  end
  return dir
end

function T.write(path, bytes)
  local file = assert(io.open(path, "w"))
  file:write(string.rep("x", bytes))
  file:close()
end

function T.lines(buf)
  return vim.api.nvim_buf_get_lines(buf, 0, -1, true)
end

--- Counts the lines that change in a buffer from now on: those that go or come, the larger number.
function T.touched(buf)
  local count = { lines = 0, ranges = {} }
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, _, first, last, new_last)
      count.lines = count.lines + math.max(last, new_last) - first
      count.ranges[#count.ranges + 1] = { first, last, new_last }
    end,
  })
  return count
end

function T.finish()
  say(string.format("neovim: %d passed, %d failed", T.ran - T.failed, T.failed))
  vim.cmd(T.failed > 0 and "cquit 1" or "qall!")
end

return T
