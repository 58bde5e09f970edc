vim9script
# The files of folders that are read as they are wanted: items of an outline, whose parents are folders. A
# file keeps its id when it is renamed or moved.

import autoload 'listd/renaming.vim'
import autoload 'listd/slices.vim'

const PART = 500  # items of an edit
# Names are escaped, so that each file has one line.
const LOOK = 'export LC_ALL=C TIME_STYLE=+%s%N; for dir; do echo @; ls -Ainb -- "$dir"; done'
const LINE = '^ *\(\d\+\) \(.\)\S* \+\(\d\+\) \+\d\+ \+\d\+ \+'
  .. '\(\d\+,\? *\d* \+\%(\d\{15,}\|\S\+ \+\d\+ \+[0-9:]\+\)\) \(.*\)$'

# Files by id, by the number of the tree: {name, parent, inode, stamp, item}; a folder that was read has
# listing and children, ids by names. The root's id is ''.
var trees: dict<dict<dict<any>>> = {}
var roots: dict<string> = {}
var forgotten: dict<dict<string>> = {}  # by tree: the stamps of files that were deleted, by id
var opened = 0

# A tree that begins with a folder; returns its number.
export def Open(dir: string): number
  ++opened
  roots[opened] = substitute(dir, '/\+$', '', '')
  forgotten[opened] = {}
  trees[opened] = {'': {name: '', inode: '', stamp: '', item: {}}}
  return opened
enddef

export def Close(tree: number)
  remove(trees, tree)
  remove(roots, tree)
  remove(forgotten, tree)
enddef

# The path of a file; empty if it was deleted.
export def Path(tree: number, id: string): string
  var file = get(get(trees, tree, {}), id, {})
  return empty(file) ? '' : empty(id) ? roots[tree] : $'{Path(tree, file.parent)}/{file.name}'
enddef

# What is known of a file: its name on disk, its inode as text, its parent's id.
export def File(tree: number, id: string): dict<any>
  return get(trees[tree], id, {name: '', inode: '-', parent: ''})
enddef

# Takes in that a file was renamed by this program.
export def Renamed(tree: number, id: string, name: string)
  var file = get(trees[tree], id, {})
  if !empty(file)
    var children = get(trees[tree][file.parent], 'children', {})
    if get(children, file.name, '') == id
      remove(children, file.name)
    endif
    children[name] = id
    file.name = name
  endif
enddef

# Looks at a folder, or again at all that were read: Done(edits), the edits of the list that this takes.
export def Look(tree: number, Done: func, folder: any = null)
  var wanted: list<string> = folder != null ? [folder]
    : keys(trees[tree])->filter((_, id) => empty(id) || has_key(trees[tree][id], 'listing'))
  var parts: list<string> = []
  job_start(['sh', '-c', LOOK, 'listd'] + wanted->mapnew((_, id) => Path(tree, id) .. '/'), {
    in_io: 'null', err_io: 'null', out_mode: 'raw',
    out_cb: (_, part) => parts->add(part),
    close_cb: (_) => TakeInAll(tree, wanted, split("\n" .. join(parts, ''), "\n@\n", true)[1 :], [], Done),
  })
enddef

# Takes in the listings of folders, one after the other.
def TakeInAll(tree: number, wanted: list<string>, listings: list<string>, edits: list<any>, Done: func)
  var i = 0
  while i < len(listings) && has_key(trees, tree)
      && get(get(trees[tree], wanted[i], {listing: listings[i]}), 'listing', '') ==# listings[i]
    ++i
  endwhile
  if !has_key(trees, tree)
    return
  elseif i >= len(listings)
    Done(edits)
  elseif listings[i] !~ '^total' # it cannot be read
    trees[tree][wanted[i]].listing = listings[i]
    TakeInAll(tree, wanted[i + 1 :], listings[i + 1 :], edits, Done)
  else
    TakeIn(tree, wanted[i], listings[i], (more) =>
      TakeInAll(tree, wanted[i + 1 :], listings[i + 1 :], edits + more, Done))
  endif
enddef

# A name that `ls -b` has escaped.
def Name(escaped: string): string
  const NAMED = {a: "\x07", b: "\x08", f: "\x0c", n: "\n", r: "\r", t: "\t", v: "\x0b"}
  return stridx(escaped, '\') < 0 ? escaped : escaped->substitute('\\\(\o\{3}\|.\)', (found) =>
    found[1] =~ '^\o' ? eval($'"\{found[1]}"') : get(NAMED, found[1], found[1]), 'g')
enddef

# The id of a file. The inode of a deleted file is soon given to another: with a new name, or in another folder, it is
# the same file only if size and time are the same.
def Id(tree: number, parent: string, name: string, found: list<string>): string
  var files = trees[tree]
  var before: string = get(get(files[parent], 'children', {}), name, '')
  if has_key(files, before) && !empty(before) && files[before].inode == found[1]
    return before
  elseif found[2] != 'd' && str2nr(found[3]) > 1
    return $'{found[1]} {strtrans(Path(tree, parent))}/{strtrans(name)}'  # one name of several
  elseif get(get(files, found[1], {}), 'stamp', get(forgotten[tree], found[1], found[4])) != found[4]
    return $'{found[1]} {found[4]}'
  endif
  return found[1]
enddef

# Takes in the listing of a folder in slices: Done(edits).
def TakeIn(tree: number, parent: string, listing: string, Done: func)
  var lines = split(listing, "\n")
  var new: dict<list<any>> = {appendItems: [], updateItems: [], deleteItems: []}
  var children: dict<string> = {}
  var seen: dict<bool> = {}
  slices.Run((i) => {
    if i >= len(lines) || !has_key(trees, tree) || !has_key(trees[tree], parent)
      return false
    endif
    var found = matchlist(lines[i], LINE)
    if !empty(found)
      var name = Name(found[2] == 'l' ? substitute(found[5], ' -> .*', '', '') : found[5])
      if name == renaming.ROOM && found[2] == 'd'
        renaming.Restore(Path(tree, parent))
        return true
      endif
      var id = Id(tree, parent, name, found)
      Add(tree, parent, id, name, found, new)
      children[name] = id
      seen[id] = true
    endif
    return true
  }, () => {
    if !has_key(trees, tree)
      return
    elseif has_key(trees[tree], parent)
      for child in values(get(trees[tree][parent], 'children', {}))
        if !has_key(seen, child) && get(get(trees[tree], child, {}), 'parent', '-') == parent
          new.deleteItems += Forget(tree, child)
        endif
      endfor
      extend(trees[tree][parent], {children: children, listing: listing})
    endif
    var edits: list<dict<any>> = []
    for kind in ['deleteItems', 'updateItems', 'appendItems']
      for first in range(0, len(new[kind]) - 1, PART)
        edits->add({edit: kind, items: new[kind]->slice(first, first + PART)})
      endfor
    endfor
    Done(edits)
  })
enddef

# Takes in a file, and notes what is new of it.
def Add(tree: number, parent: string, id: string, name: string, found: list<string>, new: dict<list<any>>)
  var item: dict<any> = {id: id, name: strtrans(name), template: 'File'}
  extend(item, found[2] == 'd' ? {lazy: true} : {})->extend(empty(parent) ? {} : {parent: parent})
  var file: dict<any> = get(trees[tree], id, {})
  if empty(file)
    new.appendItems->add(item)
  elseif file.item != item
    new.updateItems->add(item)
  endif
  var now: dict<any> = {name: name, parent: parent, inode: found[1], stamp: found[4], item: item}
  trees[tree][id] = extend(file, now)
enddef

# Forgets a file and all below it; returns their ids.
def Forget(tree: number, id: string): list<string>
  var ids = [id]
  for child in values(get(trees[tree][id], 'children', {}))
    if get(get(trees[tree], child, {}), 'parent', '-') == id
      ids += Forget(tree, child)
    endif
  endfor
  forgotten[tree][id] = trees[tree][id].stamp
  remove(trees[tree], id)
  return ids
enddef
