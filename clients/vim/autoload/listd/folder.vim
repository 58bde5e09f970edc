vim9script
# The files of a folder, sorted, folders first. Programs outside of Vim look at the folder and compare
# it with what was there before; Vim takes in only what has changed, in slices.

import autoload 'listd/slices.vim'

const RUN = 200  # files that are sorted at once, more or less

# `ls` knows the files' inodes, sizes and times. Of a line that begins with < or >, the rest is a file that was
# there or is there.
const LOOK = 'export LC_ALL=C TIME_STYLE=+%s%N; ls -Ain -- "$1" >"$2.new" || exit 3; '
  .. 'diff "$2" "$2.new"; mv -f -- "$2.new" "$2"'
const LINE = '^\([<>]\) \+\(\d\+\) \(.\)\S* \+\d\+ \+\d\+ \+\d\+ \+\(\d\+,\? *\d*\) '
  .. '\+\(\d\{15,}\|\S\+ \+\d\+ \+[0-9:]\+\) \(.*\)$'

# What is known of folders, by folder: their files by name, the names by id, their keys in order. It is
# not a member of a dictionary<any>, which Vim would look through at each call.
var files: dict<dict<dict<any>>> = {}
var names: dict<dict<string>> = {}
var orders: dict<list<string>> = {}
var before: dict<string> = {}  # the file with the listing that was taken in last
# What was known of files that are looked at again, by name; and the names of those that are not there any more, by
# what stays as it is if a file gets another name.
var old: dict<dict<dict<any>>> = {}
var lost: dict<dict<string>> = {}

export def Open(dir: string)
  files[dir] = {}
  names[dir] = {}
  orders[dir] = []
  old[dir] = {}
  lost[dir] = {}
  before[dir] = tempname()
  writefile([], before[dir])
enddef

export def Close(dir: string)
  for suffix in ['', '.new']
    delete(before[dir] .. suffix)
  endfor
  for known in [files, names, orders, old, lost, before]
    remove(known, dir)
  endfor
enddef

# The name on disk of a file.
export def NameOf(dir: string, id: string, otherwise: string): string
  return get(names[dir], id, otherwise)
enddef

# Looks at the folder: Done(changed), a function that returns what was made, removed or changed, by
# name, once it is taken in; Done(null) if the folder cannot be read.
export def Look(dir: string, Done: func)
  var parts: list<string> = []
  job_start(['sh', '-c', LOOK, 'listd', dir, before[dir]], {
    in_io: 'null',
    err_io: 'null',
    out_mode: 'raw',
    out_cb: (_, part) => parts->add(part),
    close_cb: (_) => Lines(parts, (lines) => TakeIn(lines, Done)),
    exit_cb: (_, status) => {
      if status == 3
        Done(null)
      endif
    },
  })
enddef

# The lines of a text that arrived in parts, in slices: Done(lines).
def Lines(parts: list<string>, Done: func)
  var lines: list<string> = []
  var rest = ''
  slices.Run((i) => {
    if i >= len(parts)
      return false
    endif
    var more = split(rest .. parts[i], "\n", true)
    rest = remove(more, -1)
    lines->extend(more)
    return true
  }, () => Done(lines), 1)
enddef

# Takes in lines of differences, in slices.
def TakeIn(lines: list<string>, Done: func)
  var changed: dict<dict<any>> = {}
  slices.Run((i) => {
    if i >= len(lines)
      return false
    endif
    var found = matchlist(lines[i], LINE)
    if !empty(found)
      var name = found[3] == 'l' ? substitute(found[6], ' -> .*', '', '') : found[6]
      if found[1] == '>'
        changed[name] = {name: name, inode: found[2], folder: found[3] == 'd', size: found[4],
          stamp: join(found[2 : 5])}
      elseif !has_key(changed, name)
        changed[name] = {}
      endif
    endif
    return true
  }, () => Done(() => changed))
enddef

# Takes in what a file is now. It has the row of the file that had its name, or of the same file with a name that
# is not there any more: with the same size and time, as the inode of a deleted file is soon given to a new one.
# Returns what is known of it now, and what was known of that row.
def Entry(dir: string, file: dict<any>): list<dict<any>>
  var shown = strtrans(file.name)
  var name = has_key(old[dir], file.name) ? file.name : get(lost[dir], file.stamp, file.name)
  var was: dict<any> = has_key(old[dir], name) ? remove(old[dir], name) : {}
  var id = empty(was) ? file.inode : was.id
  if empty(was) && has_key(names[dir], id)
    id ..= ' ' .. shown  # another name of the same file, or the inode was that of another one
    while has_key(names[dir], id)
      id ..= "'"
    endwhile
  endif
  var item: dict<any> = {id: id, name: shown, template: file.folder ? 'Folder' : 'File'}
  if !file.folder
    item.size = Size(str2nr(file.size))
  endif
  var entry = {id: id, name: file.name, key: (file.folder ? '0' : '1') .. file.name, stamp: file.stamp, item: item}
  files[dir][file.name] = entry
  names[dir][id] = file.name
  return [entry, was]
enddef

# Sets what was known of a file aside.
def Remove(dir: string, name: string, there: bool): dict<any>
  old[dir][name] = remove(files[dir], name)
  if !there
    lost[dir][old[dir][name].stamp] = name
  endif
  return old[dir][name]
enddef

# Forgets what was set aside and has no file now. Returns the ids.
def Forget(dir: string): list<string>
  var ids = values(old[dir])->mapnew((_, was): string => was.id)
  for id in ids
    remove(names[dir], id)
  endfor
  old[dir] = {}
  lost[dir] = {}
  return ids
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

# Takes in all that has changed, in slices, then calls Done(items) with all files.
export def Rebuild(dir: string, Changed: func, Done: func)
  var changed: dict<dict<any>> = Changed()
  var all = keys(changed)
  slices.Run((i) => {
    if i < len(all) && has_key(files, dir)
      if has_key(files[dir], all[i])
        Remove(dir, all[i], !empty(changed[all[i]]))
      endif
      return true
    endif
    return false
  }, () => Enter(dir, all, changed, Done))
enddef

# Takes in files that were made or changed, in slices, and sorts all.
def Enter(dir: string, all: list<string>, changed: dict<dict<any>>, Done: func)
  slices.Run((i) => {
    if i < len(all) && has_key(files, dir)
      if !empty(changed[all[i]])
        Entry(dir, changed[all[i]])
      endif
      return true
    endif
    return false
  }, () => {
    if has_key(files, dir)
      Forget(dir)
      Sort(dir, Done)
    endif
  })
enddef

# Sorts all files in slices: in buckets of keys that are between some of them. Then Done(items).
def Sort(dir: string, Done: func)
  var all = keys(files[dir])
  var limits: list<string> = []
  var next = 0
  while next < len(all)
    limits->add(files[dir][all[next]].key)
    next += RUN
  endwhile
  sort(limits)
  var buckets: list<list<string>> = []
  for _ in range(len(limits) + 1)
    buckets->add([])
  endfor
  slices.Run((i) => {
    if i < len(all) && has_key(files, dir)
      var key = files[dir][all[i]].key
      buckets[Index(limits, key)]->add(key)
      return true
    endif
    return false
  }, () => {
    var order: list<string> = []
    slices.Run((i) => {
      if i < len(buckets)
        order->extend(sort(buckets[i]))
        return true
      endif
      return false
    }, () => Ordered(dir, order, Done), 1)
  })
enddef

# Takes the order of all files, and calls Done(items).
def Ordered(dir: string, order: list<string>, Done: func)
  var items: list<dict<any>> = []
  slices.Run((i) => {
    if i < len(order) && has_key(files, dir)
      items->add(files[dir][strpart(order[i], 1)].item)
      return true
    endif
    return false
  }, () => {
    if has_key(files, dir)
      orders[dir] = order
      Done(items)
    endif
  })
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
export def Edits(dir: string, Changed: func): list<dict<any>>
  var changed: dict<dict<any>> = Changed()
  var order = orders[dir]
  for name in keys(changed)
    if has_key(files[dir], name)
      remove(order, Index(order, Remove(dir, name, !empty(changed[name])).key))
    endif
  endfor
  var came: list<list<dict<any>>> = []
  for file in values(changed)
    if !empty(file)
      came->add(Entry(dir, file))
    endif
  endfor
  var updated: list<any> = []
  var placed: list<dict<any>> = []
  for [new, was] in came->sort((a, b) => a[0].key ># b[0].key ? -1 : 1)
    var at = Index(order, new.key)
    var place: dict<any> = at < len(order)
      ? {before: files[dir][strpart(order[at], 1)].id} : {section: 'files'}
    order->insert(new.key, at)
    if !empty(was)
      if was.item != new.item
        updated->add(new.item)
      endif
      if was.key !=# new.key
        placed->add(extend(place, {edit: 'moveItems', items: [new.id]}))
      endif
    else
      var edit = has_key(place, 'before') ? 'insertItems' : 'appendItems'
      placed->add(extend(place, {edit: edit, items: [new.item]}))
    endif
  endfor
  var edits: list<dict<any>> = []
  var gone = Forget(dir)
  if !empty(gone)
    edits->add({edit: 'deleteItems', items: gone})
  endif
  if !empty(updated)
    edits->add({edit: 'updateItems', items: updated})
  endif
  return edits + placed
enddef
