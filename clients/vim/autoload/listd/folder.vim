vim9script
# The files of a folder, sorted, folders first. Programs outside of Vim look at the folder and compare
# it with what was there before; Vim takes in only what has changed, in slices.

import autoload 'listd/ask.vim'

const SLICE = 0.004  # seconds that Vim takes in what has changed at a time

# `ls` knows the files' inodes, which keep a file's row if it gets another name. Of a line that begins
# with < or >, the rest is a file that was there or is there.
const LOOK = 'export LC_ALL=C; ls -Ain -- "$1" >"$2.new" || exit 3; '
  .. 'diff "$2" "$2.new"; mv -f -- "$2.new" "$2"'
const LINE = '^\([<>]\) \+\(\d\+\) \(.\)\S* \+\d\+ \+\d\+ \+\d\+ \+\(\d\+,\? *\d*\) '
  .. '\+\S\+ \+\d\+ \+[0-9:]\+ \(.*\)$'

# A folder: its files by name and by id, and their keys in order.
export def New(dir: string): dict<any>
  var before = tempname()
  writefile([], before)
  return {dir: dir, before: before, files: {}, by_id: {}, order: []}
enddef

export def Forget(folder: dict<any>)
  delete(folder.before)
  delete(folder.before .. '.new')
enddef

# Looks at the folder: Done(changed), the names of files that were made, removed or changed, once they
# are taken in; Done(null) if the folder cannot be read.
export def Look(folder: dict<any>, Done: func)
  var parts: list<string> = []
  var job = job_start(['sh', '-c', LOOK, 'listd', folder.dir, folder.before], {
    in_io: 'null',
    err_io: 'null',
    out_mode: 'raw',
    out_cb: (_, part) => parts->add(part),
    close_cb: (channel) => {
      var lines = split(join(parts, ''), "\n")
      TakeIn(folder, lines, 0, {}, Done)
    },
    exit_cb: (_, status) => {
      if status == 3
        Done(null)
      endif
    },
  })
enddef

# Takes in lines of differences, in slices.
def TakeIn(folder: dict<any>, lines: list<string>, from: number, changed: dict<any>, Done: func)
  var start = reltime()
  var i = from
  while i < len(lines)
    var found = matchlist(lines[i], LINE)
    ++i
    if empty(found)
      continue
    endif
    var name = found[3] == 'l' ? substitute(found[5], ' -> .*', '', '') : found[5]
    if !has_key(changed, name)
      changed[name] = {}
    endif
    if found[1] == '>'
      changed[name] = {name: name, inode: found[2], folder: found[3] == 'd', size: found[4]}
    endif
    if i % 50 == 0 && reltimefloat(reltime(start)) > SLICE
      timer_start(1, (_) => TakeIn(folder, lines, i, changed, Done))
      return
    endif
  endwhile
  Done(changed)
enddef

# What is shown of a file.
def Entry(folder: dict<any>, file: dict<any>): dict<any>
  var shown = strtrans(file.name)
  var id = file.inode
  if has_key(folder.by_id, id) && folder.by_id[id].name !=# file.name
    id ..= ' ' .. shown  # another name of the same file
  endif
  var item: dict<any> = {id: id, name: shown, template: file.folder ? 'Folder' : 'File'}
  if !file.folder
    item.size = Size(str2nr(file.size))
  endif
  return {id: id, name: file.name, key: (file.folder ? '0' : '1') .. file.name, item: item}
enddef

def Size(bytes: number): string
  if bytes < 1000
    return bytes .. 'B'
  endif
  var rest = bytes / 1024.0
  for unit in ['K', 'M', 'G']
    if rest < 1000
      return printf(rest < 10 ? '%.1f%s' : '%.0f%s', rest, unit)
    endif
    rest = rest / 1024
  endfor
  return printf('%.0fT', rest)
enddef

# Takes in all that has changed, in slices: Done(), then Snapshot() is of now.
export def Rebuild(folder: dict<any>, changed: dict<any>, Done: func)
  for name in keys(changed)->filter((_, name) => has_key(folder.files, name))
    remove(folder.by_id, remove(folder.files, name).id)
  endfor
  Add(folder, values(changed), 0, Done)
enddef

def Add(folder: dict<any>, files: list<dict<any>>, from: number, Done: func)
  var start = reltime()
  var i = from
  while i < len(files)
    if !empty(files[i])
      var entry = Entry(folder, files[i])
      folder.files[entry.name] = entry
      folder.by_id[entry.id] = entry
    endif
    ++i
    if i % 50 == 0 && reltimefloat(reltime(start)) > SLICE
      timer_start(1, (_) => Add(folder, files, i, Done))
      return
    endif
  endwhile
  folder.order = values(folder.files)->map((_, entry) => entry.key)->sort()
  Done()
enddef

# The snapshot of all files.
export def Snapshot(folder: dict<any>): dict<any>
  var files: dict<dict<any>> = folder.files
  var items: list<dict<any>> = folder.order->mapnew((_, key) => files[strpart(key, 1)].item)
  return {sections: [{id: 'files', selectionMode: 'multiple', items: items}]}
enddef

# The index of the first key that is not less.
def Index(order: list<string>, key: string): number
  var [low, high] = [0, len(order)]
  while low < high
    var middle = (low + high) / 2
    if order[middle] <# key
      low = middle + 1
    else
      high = middle
    endif
  endwhile
  return low
enddef

# Takes in what has changed: the edits of the list that this takes.
export def Edits(folder: dict<any>, changed: dict<any>): list<dict<any>>
  var gone: dict<dict<any>> = {}
  for name in keys(changed)
    if has_key(folder.files, name)
      var old = remove(folder.files, name)
      remove(folder.by_id, old.id)
      remove(folder.order, Index(folder.order, old.key))
      gone[old.id] = old
    endif
  endfor
  var came: list<dict<any>> = []
  for file in values(changed)
    if !empty(file)
      var entry = Entry(folder, file)
      folder.files[entry.name] = entry
      folder.by_id[entry.id] = entry
      came->add(entry)
    endif
  endfor
  var updated: list<any> = []
  var placed: list<dict<any>> = []
  for new in came->sort((a, b) => a.key ># b.key ? -1 : 1)
    var at = Index(folder.order, new.key)
    var place: dict<any> = at < len(folder.order)
      ? {before: folder.files[strpart(folder.order[at], 1)].id} : {section: 'files'}
    folder.order->insert(new.key, at)
    if has_key(gone, new.id)
      var old = remove(gone, new.id)
      if old.item != new.item
        updated->add(new.item)
      endif
      if old.key !=# new.key
        placed->add(extend(place, {edit: 'moveItems', items: [new.id]}))
      endif
    else
      var edit = has_key(place, 'before') ? 'insertItems' : 'appendItems'
      placed->add(extend(place, {edit: edit, items: [new.item]}))
    endif
  endfor
  var edits: list<dict<any>> = []
  if !empty(gone)
    edits->add({edit: 'deleteItems', items: keys(gone)})
  endif
  if !empty(updated)
    edits->add({edit: 'updateItems', items: updated})
  endif
  return edits + placed
enddef
