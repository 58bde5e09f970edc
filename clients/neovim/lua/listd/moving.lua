--- Gives files other names in one step each, so that no file is overwritten whatever other programs do meanwhile.

local uv = vim.uv or vim.loop

local M = {}

local TAKEN = "there is a file of this name"
local KEEP, SWAP = 1, 2 -- what a system call does: fails if the new name is taken; exchanges two files

-- The system call that renames so, as function(from, to, how), which returns 0 or -1, and a function that returns
-- the last error of the system; nil if there is none.
local function find_system_call()
  local has, ffi = pcall(require, "ffi")
  if not has then
    return
  end
  -- Names of our own, as other plugins may declare the functions otherwise.
  ffi.cdef([[
    int listd_renameat2(int, const char *, int, const char *, unsigned) __asm__("renameat2");
    int listd_renamex_np(const char *, const char *, unsigned) __asm__("renamex_np");
    long listd_syscall(long, int, const char *, int, const char *, unsigned) __asm__("syscall");
  ]])
  local C, here = ffi.C, -100 -- AT_FDCWD
  local function known(name)
    return pcall(function()
      return C[name]
    end)
  end
  local number = ({ x64 = 316, arm64 = 276 })[jit.arch]
  if known("listd_renamex_np") then
    return function(from, to, how)
      return C.listd_renamex_np(from, to, how == KEEP and 4 or 2)
    end, ffi.errno
  elseif known("listd_renameat2") then
    return function(from, to, how)
      return C.listd_renameat2(here, from, here, to, how)
    end, ffi.errno
  elseif jit.os == "Linux" and number then
    return function(from, to, how)
      return C.listd_syscall(number, here, from, here, to, how)
    end, ffi.errno
  end
end

M.system_call, M.last_error = find_system_call()

-- Why a call of libuv or the system has failed.
local function reason(err)
  local name, text = err:match("^(%u+): ([^:]+)")
  return name == "EEXIST" and TAKEN or text or err
end

-- Calls the system: whether it has done so, and why not, unless the system or the disk cannot do so.
local function call(from, to, how)
  if not M.system_call then
    return false
  elseif M.system_call(from, to, how) == 0 then
    return true
  end
  local err = uv.translate_sys_error(M.last_error())
  local unknown = err:find("^EINVAL") or err:find("^ENOSYS") or err:find("^ENOTSUP")
  return false, not unknown and reason(err) or nil
end

-- Whether two paths are one file with one name, on a disk that ignores case.
local function same(path, other)
  if path:lower() ~= other:lower() then
    return false
  end
  local a, b = uv.fs_lstat(path), uv.fs_lstat(other)
  return a and b and a.ino == b.ino and a.dev == b.dev and (a.nlink == 1 or a.type == "directory")
end

-- Renames by other calls. Neither a link nor a folder can be made if the name is taken; the folder that was made is
-- replaced by the renamed one only while it is empty.
local function move_otherwise(from, to)
  local stat, err = uv.fs_lstat(from)
  if stat and stat.type == "directory" then
    _, err = uv.fs_mkdir(to, 448)
    if not err then
      _, err = uv.fs_rename(from, to)
      local _ = err and uv.fs_rmdir(to)
    end
  elseif stat then
    _, err = uv.fs_link(from, to)
    if not err then
      _, err = uv.fs_unlink(from)
    end
  end
  return err and reason(err)
end

--- Gives a file another name, if no file has it.
--- @return string|nil why that fails
function M.move(from, to)
  local done, problem = call(from, to, KEEP)
  if not (done or problem) then
    problem = move_otherwise(from, to)
  end
  if problem == TAKEN and same(from, to) then
    local _, err = uv.fs_rename(from, to)
    return err and reason(err)
  end
  return problem
end

--- Exchanges two files.
--- @return boolean whether that was done
function M.swap(path, other)
  return (call(path, other, SWAP))
end

return M
