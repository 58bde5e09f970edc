--- The processes, those that work most first, looked at each second. The cursor and what is selected
--- stay on their processes.   :lua require("listd.examples.processes").open()

local M = {}

local EVERY = 1000 -- milliseconds

-- The snapshot of what `ps` has written. Columns are as wide as their widest value.
local function snapshot(lines)
  local items, width = {}, 0
  for _, line in ipairs(lines) do
    local pid, user, cpu, memory, name = line:match("^%s*(%d+)%s+(%S+)%s+(%S+)%s+(%d+)%s+(.*)")
    if pid then
      width = math.max(width, #user)
      table.insert(items, { id = tonumber(pid), pid = pid, user = user, cpu = tonumber(cpu),
        memory = tonumber(memory) / 1024, name = vim.fn.strtrans(name), template = "Process" })
    end
  end
  table.sort(items, function(a, b)
    if a.cpu ~= b.cpu then
      return a.cpu > b.cpu
    end
    return a.id < b.id
  end)
  for _, item in ipairs(items) do
    item.columns = string.format("%7s  %-" .. width .. "s  %5.1f  %7.1fM", item.pid, item.user, item.cpu, item.memory)
  end
  local header = string.format("%7s  %-" .. width .. "s  %5s  %8s  %s", "pid", "user", "cpu", "memory", "name")
  return { sections = { { id = "processes", header = header, selectionMode = "multiple", items = items } } }
end

function M.open()
  local view, busy = nil, false

  local function look()
    if busy or view.closed then
      return
    end
    busy = true
    vim.fn.jobstart({ "ps", "-A", "-o", "pid=,user=,pcpu=,rss=,comm=" }, {
      stdout_buffered = true,
      on_stdout = function(_, lines)
        busy = view:apply(snapshot(lines), function()
          busy = false
        end)
      end,
    })
  end

  local timer = vim.loop.new_timer()
  view = require("listd").view("processes", {
    templates = { Process = "{columns}  {name}" },
    highlights = { { "^ *pid .*", "Title" }, { "^ *\\d\\+", "Number" } },
    actions = {
      terminate = { function()
        view:act(function(items)
          for _, item in ipairs(items) do
            vim.loop.kill(item.id, "sigterm")
          end
          look()
        end)
      end, "terminate the processes", "K" },
    },
    on_refresh = look,
    on_close = function()
      timer:close()
    end,
  })
  vim.api.nvim_set_current_buf(view.buf)
  look()
  timer:start(EVERY, EVERY, vim.schedule_wrap(function()
    if #vim.fn.win_findbuf(view.buf) > 0 then
      look()
    end
  end))
  return view
end

return M
