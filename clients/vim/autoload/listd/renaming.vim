vim9script
# Renames files so that nothing is lost: no file is overwritten, and names may be swapped.

import autoload 'listd/ask.vim'

# Vim cannot ask the system to refuse a name that is taken; Perl can.
const SCRIPT = expand('<sfile>:p:r') .. '.pl'
# Where files are for a moment if their names are swapped; see there.
export const ROOM = '.listd-renaming'

# Runs the script: the lines that it writes.
def Run(argument: string, input: list<string>): list<string>
  var command = 'LC_ALL=C exec perl "$@" 2>/dev/null'
  return systemlist($'sh -c {shellescape(command)} listd {shellescape(SCRIPT)} {argument}', input)
enddef

# Why a file cannot have a name; empty if it can.
def Unfit(name: string): string
  return empty(name) ? 'a name cannot be empty'
    : stridx(name, '/') >= 0 ? 'a name cannot contain /'
    : name == '.' || name == '..' ? name .. ' is not a name of a file' : ''
enddef

def FolderOf(path: string): string
  return matchstr(path, '^.*\ze/')
enddef

# Renames files within their folders: {path, name, inode} each; `inode`, a text as `ls -i` has it, is that of the
# file if the path must not be another file by now. Files in a folder are renamed before the folder is. A change
# that fails gets a `problem`, a text; else its `path` is the new one.
export def Files(changes: list<dict<any>>)
  var wanted: dict<number> = {}
  for change in changes
    change.to = $'{FolderOf(change.path)}/{change.name}'
    wanted[change.to] = get(wanted, change.to) + 1
  endfor
  var fit: list<dict<any>> = []
  for change in changes
    var problem = wanted[change.to] > 1 ? 'two lines have this name' : Unfit(change.name)
    if empty(problem)
      fit->add(extend(change, {depth: count(change.path, '/')}))
    else
      change.problem = problem
    endif
  endfor
  fit->sort((a, b) => b.depth - a.depth)
  var input: list<string> = []
  for change in fit
    input += [get(change, 'inode', ''), change.path, change.to]
  endfor
  var answers = Run('', input)
  var otherwise = executable('perl') ? 'renaming was interrupted' : 'renaming files needs perl'
  for [i, change] in items(fit)
    change.path = get(answers, 2 * i, change.path)
    var problem = get(answers, 2 * i + 1, otherwise)
    if !empty(problem)
      change.problem = problem
    endif
  endfor
enddef

# Gives the files of a folder their old or new names after a renaming that was killed, and reports it.
export def Restore(dir: string)
  var found = Run(shellescape(dir), [])
  if !empty(found)
    ask.Warn($'an interrupted renaming had put files aside, which are now: {join(found, ', ')}')
  endif
enddef
