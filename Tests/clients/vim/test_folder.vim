vim9script
# What is known of a folder, beside a model of it, under random changes.

import './harness.vim' as t
import autoload 'listd/folder.vim' as folders

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
var seed = srand(5)
var bytes = 0

# Makes, replaces, deletes or renames a file. `files` are the numbers of the files by name.
def Change(dir: string, files: dict<number>)
  var name = NAMES[rand(seed) % len(NAMES)]
  var other = NAMES[rand(seed) % len(NAMES)]
  var what = rand(seed) % 4
  if what == 0
    delete($'{dir}/{name}')
    if has_key(files, name)
      remove(files, name)
    endif
  elseif what == 1 && has_key(files, name) && name != other
    rename($'{dir}/{name}', $'{dir}/{other}')
    files[other] = remove(files, name)
  elseif what > 1
    ++bytes
    t.Write(dir .. '/.new', bytes)
    rename(dir .. '/.new', $'{dir}/{name}')
    files[name] = bytes
  endif
enddef

# The items after edits.
def Edited(before: list<any>, edits: list<any>): list<any>
  var items = copy(before)
  var Index = (id) => items->indexof((_, item) => item.id == id)
  for edit in edits
    for item in edit.items
      if edit.edit == 'deleteItems'
        items->remove(Index(item))
      elseif edit.edit == 'updateItems'
        items[Index(item.id)] = item
      else
        var moved = edit.edit == 'moveItems' ? items->remove(Index(item)) : item
        assert_equal(-1, Index(moved.id), 'a new item')
        items->insert(moved, has_key(edit, 'before') ? Index(edit.before) : len(items))
      endif
    endfor
  endfor
  return items
enddef

def Wanted(name: string, ids: dict<string>, before: dict<number>, files: dict<number>): string
  if has_key(before, name)
    return ids[name]
  endif
  for [other, same] in items(before)
    if !has_key(files, other) && same == files[name]
      return ids[other]
    endif
  endfor
  return ''
enddef

t.Test('files keep their rows by name, else as the same file, however they are looked at', () => {
  var dir = t.Folder({})
  folders.Open(dir)
  var files: dict<number> = {}
  var rows: list<any> = []
  for round in range(100)
    var before = copy(files)
    var ids: dict<string> = {}
    for item in rows
      ids[item.name] = item.id
    endfor
    for _ in range(rand(seed) % 4 + 1)
      Change(dir, files)
    endfor
    var looked: list<any> = []
    folders.Look(dir, (Changed) => {
      if round % 2 == 0
        folders.Rebuild(dir, Changed, (all) => looked->add(all))
      else
        looked->add(Edited(rows, folders.Edits(dir, Changed)))
      endif
    })
    t.Wait('the folder', () => !empty(looked))
    rows = looked[0]
    assert_equal(sort(keys(files)), rows->mapnew((_, item) => item.name), $'round {round}')
    for item in rows
      var what = $'round {round}: {item.name} had {string(ids)}'
      var wanted = Wanted(item.name, ids, before, files)
      assert_equal(item.name, folders.NameOf(dir, item.id, ''), what)
      assert_true(empty(wanted) ? values(ids)->index(item.id) < 0 : item.id == wanted, what)
    endfor
  endfor
  folders.Close(dir)
})

t.Finish()
