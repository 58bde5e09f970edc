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
# not a member of a dictionary<any>, which Vim would look through at each call. Of a file a text is known, because
# Vim would look through thousands of dictionaries when it collects garbage: the stamp, which stays as it is if the
# file gets another name (inode, type, size and time), and the id of its item, separated by tabs.
var files: dict<dict<string>> = {}
var names: dict<dict<string>> = {}
var orders: dict<list<string>> = {}
var before: dict<string> = {}  # the file with the listing that was taken in last
# What was known of files that are looked at again, by name; and the names of those that are not there any more, by
# their stamps.
var old: dict<dict<string>> = {}
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
  # What is large is freed in turns.
  var known = [before, lost, old, orders, names, files]->mapnew((_, all) => remove(all, dir))
  slices.Run((_) => {
    if empty(known)
      return false
    endif
    remove(known, -1)
    return true
  }, () => 0, 1)
enddef

# The name on disk of a file.
export def NameOf(dir: string, id: string, otherwise: string): string
  return get(names[dir], id, otherwise)
enddef

# Looks at the folder: Done(changed), a function that returns what was made, removed or changed, by
# name, once it is taken in: the stamp, empty if it was removed. Done(null) if the folder cannot be read.
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
  var changed: dict<string> = {}
  slices.Run((i) => {
    if i >= len(lines)
      return false
    endif
    var found = matchlist(lines[i], LINE)
    if !empty(found)
      var name = found[3] == 'l' ? substitute(found[6], ' -> .*', '', '') : found[6]
      if found[1] == '>'
        changed[name] = join(found[2 : 5], "\t")
      elseif !has_key(changed, name)
        changed[name] = ''
      endif
    endif
    return true
  }, () => Done(() => changed))
enddef

# By what a file is sorted.
def Key(name: string, known: string): string
  return (known =~ "^\\d\\+\td" ? '0' : '1') .. name
enddef

def Id(known: string): string
  return strpart(known, strridx(known, "\t") + 1)
enddef

# The item of a file.
def Item(name: string, known: string): dict<any>
  var [_, type, size, _, id] = split(known, "\t", true)
  return type == 'd' ? {id: id, name: strtrans(name), template: 'Folder'}
    : {id: id, name: strtrans(name), template: 'File', size: Size(str2nr(size))}
enddef

# Takes in what a file is now. It has the row of the file that had its name, or of the same file with a name that
# is not there any more: with the same size and time, as the inode of a deleted file is soon given to a new one.
# Returns what is known of it now, and the name of the file that had the row and what was known of it, if there was one.
def Enter(dir: string, name: string, stamp: string): list<string>
  var had = has_key(old[dir], name) ? name : get(lost[dir], stamp, name)
  var was = has_key(old[dir], had) ? remove(old[dir], had) : ''
  var id = empty(was) ? matchstr(stamp, '^\d\+') : Id(was)
  if empty(was) && has_key(names[dir], id)
    id ..= ' ' .. strtrans(name)  # another name of the same file, or the inode was that of another one
    while has_key(names[dir], id)
      id ..= "'"
    endwhile
  endif
  files[dir][name] = stamp .. "\t" .. id
  names[dir][id] = name
  return [files[dir][name], had, was]
enddef

# Sets what was known of a file aside. Returns it.
def Remove(dir: string, name: string, there: bool): string
  var known = remove(files[dir], name)
  old[dir][name] = known
  if !there
    lost[dir][strpart(known, 0, strridx(known, "\t"))] = name
  endif
  return known
enddef

# Forgets what was set aside and has no file now. Returns the ids.
def Forget(dir: string): list<string>
  var ids = values(old[dir])->mapnew((_, was) => Id(was))
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
  var changed: dict<string> = Changed()
  var all = keys(changed)
  slices.Run((i) => {
    if i < len(all) && has_key(files, dir)
      if has_key(files[dir], all[i])
        Remove(dir, all[i], !empty(changed[all[i]]))
      endif
      return true
    endif
    return false
  }, () => EnterAll(dir, changed, Done))
enddef

# Takes in files that were made or changed, in slices, and sorts all.
def EnterAll(dir: string, changed: dict<string>, Done: func)
  var all = keys(changed)
  slices.Run((i) => {
    if i < len(all) && has_key(files, dir)
      if !empty(changed[all[i]])
        Enter(dir, all[i], changed[all[i]])
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
    limits->add(Key(all[next], files[dir][all[next]]))
    next += RUN
  endwhile
  sort(limits)
  var buckets: list<list<string>> = []
  for _ in range(len(limits) + 1)
    buckets->add([])
  endfor
  slices.Run((i) => {
    if i < len(all) && has_key(files, dir)
      var key = Key(all[i], files[dir][all[i]])
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
      var name = strpart(order[i], 1)
      items->add(Item(name, files[dir][name]))
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
  var changed: dict<string> = Changed()
  var order = orders[dir]
  for [name, stamp] in items(changed)
    if has_key(files[dir], name)
      remove(order, Index(order, Key(name, Remove(dir, name, !empty(stamp)))))
    endif
  endfor
  var came: list<list<string>> = []  # key, name, and what Enter() returns
  for [name, stamp] in items(changed)
    if !empty(stamp)
      came->add([Key(name, stamp), name] + Enter(dir, name, stamp))
    endif
  endfor
  var updated: list<any> = []
  var placed: list<dict<any>> = []
  for [key, name, known, had, was] in came->sort((a, b) => a[0] ># b[0] ? -1 : 1)
    var at = Index(order, key)
    var place: dict<any> = at < len(order)
      ? {before: Id(files[dir][strpart(order[at], 1)])} : {section: 'files'}
    order->insert(key, at)
    var item = Item(name, known)
    if !empty(was)
      if Item(had, was) != item
        updated->add(item)
      endif
      if Key(had, was) !=# key
        placed->add(extend(place, {edit: 'moveItems', items: [item.id]}))
      endif
    else
      var edit = has_key(place, 'before') ? 'insertItems' : 'appendItems'
      placed->add(extend(place, {edit: edit, items: [item]}))
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
