-- Which row each line stands for, under random changes of the lines.
-- Promise: However lines are edited, none stands for the row of another; they are written after the daemon's end,
--   too. Also `test_lines.lua`, `test_lines.vim`, `listd-lines-tests.el`.

local T = dofile(debug.getinfo(1, "S").source:sub(2):gsub("[^/]*$", "") .. "harness.lua")
local Tracking = require("listd.tracking")

-- A buffer of these lines, as it is when editing begins.
local function lines_of(lines)
  vim.cmd("enew!")
  vim.bo.undolevels = -1
  vim.api.nvim_buf_set_lines(0, 0, -1, true, lines)
  vim.bo.undolevels = vim.go.undolevels
  return Tracking.new(0)
end

-- Types keys, in insert mode also when they end.
local function type_keys(text)
  pcall(vim.api.nvim_feedkeys, vim.api.nvim_replace_termcodes(text .. "<Esc>", true, true, true), "tx", false)
  vim.api.nvim_exec_autocmds("TextChanged", { buffer = 0 }) -- which headless Neovim does not send
end

-- The lines with their rows, as "text=row".
local function owned(tracking)
  local rows, found = tracking:rows(), {}
  for i, line in ipairs(T.lines(0)) do
    found[i] = line .. "=" .. table.concat(rows[i - 1] or {}, "+")
  end
  return found
end

T.test("lines keep their rows", function()
  local cases = {
    { "2Gyyp", { "a=1", "b=2", "b=", "c=3" } },
    { "2GyyP", { "a=1", "b=", "b=2", "c=3" } },
    { "2GO", { "a=1", "=", "b=2", "c=3" } },
    { "2Gox", { "a=1", "b=2", "x=", "c=3" } },
    { "2GI<CR>", { "a=1", "=", "b=2", "c=3" } },
    { "2GA<CR>x", { "a=1", "b=2", "x=", "c=3" } },
    { "2GJ", { "a=1", "b c=2+3" } },
    { "2GJu", { "a=1", "b=2", "c=3" } },
    { "GddggP", { "c=3", "a=1", "b=2" } },
    { "ggcc x<Esc>ddp", { "b=2", " x=1", "c=3" } },
    { "ggddjp", { "b=2", "c=3", "a=1" } },
    { ":1move $<CR>", { "b=2", "c=3", "a=1" } },
    { ":sort!<CR>", { "c=3", "b=2", "a=1" } },
    { ":sort!<CR>u<C-r>", { "c=3", "b=2", "a=1" } },
    { ":%!tac<CR>", { "c=3", "b=2", "a=1" } },
    { ":g/^/move 0<CR>", { "c=3", "b=2", "a=1" } },
    { ":%substitute/./\\=nr2char(char2nr(submatch(0)) % 3 + 97)/<CR>", { "b=1", "c=2", "a=3" } },
    { ":%substitute/b/x\\ry/<CR>", { "a=1", "x=", "y=2", "c=3" } },
    { "2Gddu", { "a=1", "b=2", "c=3" } },
    { "2Gddu<C-r>", { "a=1", "c=3" } },
    { "2GddPu", { "a=1", "c=3" } },
    { "2GddPuu", { "a=1", "b=2", "c=3" } },
    { "2GddGpAx", { "a=1", "c=3", "bx=2" } },
    { "2GddCbx<Esc>", { "a=1", "bx=3" } },
    { "ggqqA!<Esc>jq2@q", { "a!=1", "b!=2", "c!=3" } },
    { "ggqqddGpAx<Esc>ggq@q", { "c=3", "ax=1", "bx=2" } },
    { "ggVGd:put<CR>gg", { "=", "a=1", "b=2", "c=3" } },
    { "ggVG<C-a>gUU", { "A=1", "B=2", "C=3" }, "ggVGgU" },
    { ":call setline(1, ['b', 'c', 'a'])<CR>", { "b=1", "c=2", "a=3" } },
  }
  for _, case in ipairs(cases) do
    local tracking = lines_of({ "a", "b", "c" })
    type_keys(case[3] or case[1])
    T.equal(owned(tracking), case[2], case[1])
  end
end)

T.test("of lines with one text, none is taken for another", function()
  local tracking = lines_of({ "a", "x", "b", "x" })
  type_keys("2GddGp")
  T.equal(owned(tracking), { "a=1", "b=3", "x=4", "x=" })
  type_keys("u:sort!<CR>")
  T.equal(owned(tracking), { "x=", "b=3", "a=1" })
end)

-- Each line has a letter of its own, which no change touches: a line stands for the row with this letter, or for none.
T.test("no line stands for the row of another, whatever is done", function()
  math.randomseed(3)
  local does = { "dd", "p", "P", "yyp", "yyP", "ox", "Oy", "J", "u", "<C-r>", "A+<Esc>", "I-<Esc>", ":move 0<CR>",
    ":move $<CR>", ":sort<CR>", ":sort!<CR>", "Vjd", "Vjp", "j", "3k", "G", "gg", ":%substitute/[+-]/*/e<CR>", "A<CR>z",
    ":%substitute/[+*]//ge<CR>", ":copy 0<CR>", ":%!tac<CR>", ":global/[+-]/move 0<CR>", "ddkP", "2ddGp", "0i<CR>", "u" }
  for round = 1, 200 do
    local letters = { "A", "B", "C", "D", "E", "F" }
    local tracking, typed = lines_of(letters), {}
    for step = 1, 25 do
      typed[step] = does[math.random(#does)]
      if math.random(3) == 1 then -- as in a macro: nothing is looked at between them
        typed[step] = typed[step] .. does[math.random(#does)]
      end
      type_keys(typed[step])
      local rows, what = tracking:rows(), string.format("round %d: %s", round, table.concat(typed, " | "))
      local seen = {}
      for i, line in ipairs(T.lines(0)) do
        for _, row in ipairs(rows[i - 1] or {}) do
          local other = line:match("%u")
          assert(not seen[row], what)
          seen[row] = true
          if other and not line:find(letters[row]) then
            T.equal(owned(tracking), {}, what)
          end
        end
      end
    end
  end
end)

T.finish()
