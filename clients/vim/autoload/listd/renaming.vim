vim9script
# Renames files so that nothing is lost: no file is overwritten, and names may be swapped.

def Exists(path: string): bool
  return !empty(getftype(path))
enddef

# Why a file cannot have a name; empty if it can.
def Unfit(name: string): string
  return empty(name) ? 'a name cannot be empty'
    : stridx(name, '/') >= 0 ? 'a name cannot contain /'
    : name == '.' || name == '..' ? name .. ' is not a name of a file' : ''
enddef

# Whether a name belongs to a file that has another name: on a disk that ignores case, a name that
# differs by case alone is the file's own.
def Taken(from: string, to: string): bool
  var name = fnamemodify(to, ':t')
  return Exists(to) && (from !=? to || readdir(fnamemodify(to, ':h'), (other) => other ==? name)->len() > 1)
enddef

# Renames a file; returns why that fails, or an empty text.
def Rename(from: string, to: string): string
  if Taken(from, to)
    return 'there is a file of this name'
  elseif len(fnamemodify(to, ':t')) > 255
    return 'name too long'
  elseif filewritable(fnamemodify(to, ':h')) != 2
    return 'permission denied'
  endif
  try
    return rename(from, to) == 0 ? '' : 'the system refuses the name'
  catch
    return substitute(v:exception, '^Vim\S*:', '', '')
  endtry
enddef

# A name in a folder that no file has.
def Spare(dir: string): string
  var i = 1
  while Exists($'{dir}/.listd-{getpid()}-{i}')
    ++i
  endwhile
  return $'{dir}/.listd-{getpid()}-{i}'
enddef

def FolderOf(path: string): string
  return matchstr(path, '^.*\ze/')
enddef

# Renames files of one folder. `waiting` are the changes by their paths.
def RenameIn(dir: string, all: list<dict<any>>, waiting: dict<any>)
  var changes = all
  while !empty(changes)
    var blocked: list<dict<any>> = []
    for change in changes
      if has_key(waiting, change.to) && Exists(change.to)
        blocked->add(change)  # by a file that is renamed itself
        continue
      endif
      if has_key(waiting, change.from)
        remove(waiting, change.from)
      endif
      var problem = Rename(change.path, change.to)
      if empty(problem)
        change.path = change.to
        continue
      endif
      change.problem = problem
      if change.path !=# change.from
        if empty(Rename(change.path, change.from))
          change.path = change.from
        else
          change.problem ..= '; the file is now ' .. change.path
        endif
      endif
    endfor
    if len(blocked) == len(changes)  # in a circle: one of them gets out of the way
      var first = blocked[0]
      var path = Spare(dir)
      var problem = Rename(first.path, path)
      remove(waiting, first.from)
      if empty(problem)
        first.path = path
      else
        first.problem = problem
        remove(blocked, 0)
      endif
    endif
    changes = blocked
  endwhile
enddef

# The inodes of files, as texts; empty for a file that does not exist.
export def Inodes(paths: list<string>): list<string>
  var each = 'for path; do set -- $(ls -di -- "$path" 2>/dev/null); echo "$1"; done'
  return systemlist($'sh -c {shellescape(each)} listd {paths->mapnew((_, path) => shellescape(path))->join()}')
enddef

# Renames files within their folders: {path, name, inode} each; `inode`, a text, is that of the file if
# the path must not be another file by now. Files in a folder are renamed before the folder is. A change
# that fails gets a `problem`, a text; else its `path` is the new one.
export def Files(changes: list<dict<any>>)
  var wanted: dict<number> = {}
  var inodes = Inodes(changes->mapnew((_, change) => change.path))
  for [i, change] in items(changes)
    var inode = get(inodes, i, '')
    var problem = empty(inode) || get(change, 'inode', inode) != inode
      ? 'the file was moved or deleted' : Unfit(change.name)
    if empty(problem)
      extend(change, {from: change.path, to: $'{FolderOf(change.path)}/{change.name}'})
      wanted[change.to] = get(wanted, change.to) + 1
    else
      change.problem = problem
    endif
  endfor
  var folders: dict<list<dict<any>>> = {}
  var waiting: dict<any> = {}
  for change in changes
    if has_key(change, 'problem')
      continue
    elseif wanted[change.to] > 1
      change.problem = 'two lines have this name'
      continue
    endif
    var dir = FolderOf(change.path)
    folders[dir] = get(folders, dir, [])->add(change)
    waiting[change.from] = change
  endfor
  for dir in keys(folders)->sort((a, b) => count(b, '/') - count(a, '/'))  # the deepest first
    RenameIn(dir, folders[dir], waiting)
  endfor
enddef
