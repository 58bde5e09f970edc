vim9script
# What is done with the changes of edited lines: {row, number, text} each, with the row and its number as lines.vim has
# them.

import autoload 'listd/client.vim' as wire
import autoload 'listd/view.vim' as views

const SLICE = 200  # lines that are resolved at a time
const SHOWN = 20  # changes that a question shows

# Finds the items that references refer to now: Done(found, err), with {id, item, at} or {} for each
# reference. Request(method, params, Then) asks the daemon; Then(err, result).
export def Resolve(Request: func, list: string, refs: list<dict<any>>, Done: func, found: list<any> = [])
  var part = refs[len(found) : len(found) + SLICE - 1]
  if empty(part)
    Done(found, '')
    return
  endif
  Request('locate', {list: list, items: part}, (err, there) => {
    if !empty(err)
      Done([], err.message)
      return
    endif
    var paths = there.items->copy()->filter((_, place) => place != null)->mapnew((_, place) => place.at)
    var Continue = (rows) => {
      var next = 0
      var all: list<any> = copy(found)
      for place in there.items
        if place == null
          all->add({})
          continue
        endif
        var content = rows[next].content
        var is_part = type(content) == v:t_dict && has_key(content, '$part')
        all->add({id: get(rows[next], 'id', null), item: is_part ? content['$item'] : content, at: paths[next]})
        ++next
      endfor
      Resolve(Request, list, refs, Done, all)
    }
    if empty(paths)
      Continue([])
      return
    endif
    Request('locate', {list: list, paths: paths}, (err2, here) => {
      if !empty(err2)
        Done([], err2.message)
      elseif here.revision != there.revision
        Resolve(Request, list, refs, Done, found)  # the paths are those of another revision
      else
        Continue(here.paths)
      endif
    })
  })
enddef

export def Count(number: number, what: string): string
  return $'{number} {what}{number == 1 ? "" : "s"}'
enddef

# Asks the person whether texts are to be changed. Without a screen, nothing is changed.
export def Confirmed(changes: list<dict<any>>): bool
  if !get(g:, 'listd_confirm_renames', true)
    return true
  endif
  var most = max([1, min([SHOWN, &lines - 6])])
  var shown = changes[: most - 1]->mapnew((_, change) => strtrans($'{change.row.text} → {change.text}'))
  if len(changes) > most
    shown->add($'and {len(changes) - most} more')
  endif
  shown->add($'Change {Count(len(changes), 'line')}?')
  var answer = confirm(join(shown, "\n"), "&Yes\n&No", 2)
  redraw  # or Vim waits for Enter when there is another message
  return answer == 1
enddef

# Finds the items of changes as they are now, or, if the daemon that knows the rows has ended, as they were, and has the
# owner commit them. `editing` is {view, client, text_revision}.
export def Commit(editing: dict<any>, changes: list<dict<any>>)
  var view: dict<any> = editing.view
  var answer: dict<any> = {}
  if view.closed
    answer.why = 'the list is not there any more'
  elseif view.client is editing.client && wire.Running(view.client)
    var refs: list<dict<any>> = []
    for change in changes
      # The line refers to the row by identity, as long as its text is known; after that, the id does.
      var line = {line: change.number - 1, textRevision: editing.text_revision}
      refs->add(line)->add(change.row.id == null ? line : {id: change.row.id})
    endfor
    Resolve((method, params, Then) => wire.Request(view.client, method, params, Then), view.list, refs,
      (found, err) => extend(answer, empty(err) ? {found: found} : {why: err}))
    wire.Wait(view.client, view.client.patience, () => !empty(answer))
  endif
  var is_known = wire.Running(editing.client)
  var present: list<dict<any>> = []
  for [i, change] in items(changes)
    var found: list<dict<any>> = get(answer, 'found', [])
    var now = !is_known ? change.row : empty(found) ? {} : empty(found[2 * i]) ? found[2 * i + 1] : found[2 * i]
    if view.closed || empty(now)
      change.problem = empty(found) ? get(answer, 'why', 'the daemon does not answer') : 'it was deleted'
    else
      extend(change, {id: now.id, item: now.item, past: !is_known})
      present->add(change)
    endif
  endfor
  try
    call(view.options.edit.Commit, [present])
  catch
    for change in present
      change.problem = v:exception
    endfor
  endtry
  if !view.closed && !wire.Running(view.client)
    views.Refresh(view)
  endif
enddef

defcompile
