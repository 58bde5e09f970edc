vim9script
# Folders whose files are lists: the daemon reads, follows and edits them.

import autoload 'listd/ask.vim'
import autoload 'listd/client.vim' as wire
import autoload 'listd/text.vim'
import autoload 'listd/view.vim' as views

# A value as templates show it in one line.
export def Shown(value: string): string
  return value->substitute('[\x01-\x1f\x7f]', (found) => '^' .. nr2char(and(char2nr(found[0]) + 64, 127)), 'g')
enddef

# The name of an item's file on disk. Names that are not UTF-8 are rare, and Vim 9.0 cannot decode them.
export def Name(item: dict<any>): string
  return has_key(item, 'bytes') ? system('base64 -d', item.bytes) : item.name
enddef

# The path of an item's file below a folder.
export def Path(dir: string, item: dict<any>): string
  var above = $'{dir}/{item.path}'->substitute('/\+', '/', 'g')->matchstr('^.*/')
  if !isdirectory(above)  # it has a folder whose name is not UTF-8
    var pattern = above->substitute('\\x\x\x', "\x01", 'g')->escape('\*?[{`$')->substitute("\x01", '?', 'g')
    above = get(glob(pattern, true, true), 0, above)
  endif
  return above .. Name(item)
enddef

# Has the daemon fill the list `source` with the files of a folder, and shows them by `definition`, the `view` of
# `compose`. `more` are other members of the feed.
export def Show(view: dict<any>, source: string, dir: string, definition: dict<any>, more: dict<any> = {})
  var from = extendnew({folder: dir, hidden: true, ignored: true}, more)
  ask.Ask(view, 'feed', {list: source, from: from, selectionMode: 'multiple', allowsEdits: true})
  Look(view, source, definition)  # what another daemon has shown stays until all is read
enddef

# Shows a folder when it has been read, which it is looked for again after some milliseconds.
def Look(view: dict<any>, source: string, definition: dict<any>, pause = 1)
  ask.Ask(view, 'getLists', {}, (found) => {
    if !IsRead(found.lists, source)
      timer_start(pause, (_) => Look(view, source, definition, min([20, 2 * pause])))
      return
    endif
    if view.count == 0
      view.following = false  # the change would have all of the text
      text.Subscribe(view, 'none')
    endif
    # The view is removed with the connection, also if Vim is killed.
    var own: dict<any> = wire.Has(view.client, 'compose.temporary') ? {temporary: true} : {}
    views.Compose(view, extend(own, {sources: [source], view: definition}))
    if !view.following
      text.Follow(view)
    endif
  })
enddef

def IsRead(lists: list<dict<any>>, source: string): bool
  return empty(copy(lists)->filter((_, list) => list.list == source && get(list, 'reading', false)))
enddef

# What the daemon answers: [error, result].
def Answer(client: dict<any>, method: string, params: dict<any>): list<any>
  var answer: list<any> = []
  wire.Request(client, method, params, (err, result) => extend(answer, [err, result]))
  return wire.Wait(client, client.patience, () => !empty(answer)) ? answer
    : [{message: 'the daemon does not answer'}, {}]
enddef

# The change of a file as the daemon takes it. json_encode() would change a name that is not UTF-8.
def Update(change: dict<any>): dict<any>
  return change.text ==# json_decode(json_encode(change.text)) ? {id: change.id, name: change.text}
    : {id: change.id, bytes: system('base64', change.text)->substitute('\n', '', 'g')}
enddef

# Has the daemon make those of some changes that can be made together; the others get a problem.
def Edit(client: dict<any>, source: string, changes: list<dict<any>>)
  var left = copy(changes)
  while !empty(left)
    var edit = {edit: 'updateItems', items: mapnew(left, (_, change) => Update(change))}
    var err = Answer(client, 'editSnapshot', {list: source, edits: [edit], format: 'none'})[0]
    if empty(err)
      return
    endif
    var problems: dict<string> = {}
    for problem in get(get(err, 'data', {}), 'problems', [])
      problems[problem.id] = problem.reason
    endfor
    var wrong = copy(left)->filter((_, change) => has_key(problems, change.id))
    for change in empty(wrong) ? left : wrong
      change.problem = get(problems, change.id, err.message)
    endfor
    left->filter((_, change) => !has_key(change, 'problem'))
  endwhile
enddef

# Finds the files of changes whose ids are those of a daemon that has ended, by their paths then, in a list beside:
# their ids.
def Find(view: dict<any>, source: string, dir: string, changes: list<dict<any>>): dict<string>
  var client: dict<any> = view.client
  var known = get(view, 'past', {})
  var depth = changes->mapnew((_, change) => count(change.item.path, '/') + 1)->max()
  if !empty(known) && known.client is client && known.depth >= depth
    return known.ids
  endif
  var from = {folder: dir, depth: depth, hidden: true, ignored: true}
  Answer(client, 'feed', {list: source, from: from, allowsEdits: true})
  wire.Wait(client, client.patience, () => IsRead(get(Answer(client, 'getLists', {})[1], 'lists', []), source))
  var snapshot = Answer(client, 'getSnapshot', {list: source, members: ['path']})[1]
  var ids: dict<string> = {}
  for item in get(get(get(snapshot, 'sections', []), 0, {}), 'items', [])
    ids[item.path] = item.id
  endfor
  view.past = {client: client, depth: depth, ids: ids}
  return ids
enddef

def Beside(source: string): string
  return $'{source}, as it was'
enddef

# Renames files by changes of edited lines; see listd-edit-lines. No file is overwritten, and names may be swapped.
export def Rename(view: dict<any>, source: string, dir: string, changes: list<dict<any>>)
  if empty(changes)
    return
  elseif !wire.Running(view.client)
    views.Refresh(view)
  endif
  if !changes[0].past
    Edit(view.client, source, changes)
    return
  endif
  var ids = Find(view, Beside(source), dir, changes)
  for change in changes
    change.id = get(ids, change.item.path, '')
    if empty(change.id)
      change.problem = 'it is no longer there'
    endif
  endfor
  Edit(view.client, Beside(source), copy(changes)->filter((_, change) => !has_key(change, 'problem')))
enddef

# Removes the lists of a view that is closed.
export def Close(view: dict<any>, source: string)
  for list in [view.list, source] + (has_key(view, 'past') ? [Beside(source)] : [])
    wire.Request(view.client, 'removeList', {list: list}, (_, _) => 0)
  endfor
enddef

defcompile
