vim9script
# Which row a line shows, and what is done with it. A line means the row that it showed when it was
# asked for, whatever changes before the answer comes. Lines are counted from 0.

import autoload 'listd/ask.vim'

const SLICE = 250  # lines that are selected at a time
const NOT_FOUND = -31005  # the code of an error

# A reference to the item that a line shows. The text must be known.
export def Ref(view: dict<any>, line: number): dict<number>
  return {line: line, textRevision: view.text_revision}
enddef

# Finds the row of a line: Done(row, place), with a reference to the row and the answer of `locate` for the
# line. Both are empty if the line is not known, and the row if it is none. Done is called once.
def Resolve(view: dict<any>, line: number, Done: func)
  if line == view.cursor_line && view.cursor != null && view.text_revision >= 0
    Done({path: view.cursor, revision: view.revision}, {at: view.cursor})
    return
  elseif view.text_revision < 0
    Done({}, {})
    return
  endif
  var [text_revision, revision] = [view.text_revision, view.revision]
  var Nothing = (_) => Done({}, {})
  var Answer = (found, at_revision) => {
    var place: dict<any> = found.lines[0] == null ? {} : found.lines[0]
    Done(has_key(place, 'at') ? {path: place.at, revision: at_revision} : {}, place)
  }
  ask.Ask(view, 'locate', {list: view.list, lines: [line]}, (found) => {
    if view.text_revision == text_revision
      Answer(found, view.revision)
      return
    endif
    # A change has come first, and this is a row of the new text.
    LocateInPast(view, revision, {lines: [line]}, (past) => Answer(past, revision), Nothing)
  }, Nothing)
enddef

# Asks `locate` about the list as it was at a revision, by a copy of it, which has the text as it was.
def LocateInPast(view: dict<any>, revision: number, what: dict<any>, Done: func, Otherwise: func)
  var past = $'listd:past:{view.client.shared ? getpid() .. ':' : ''}{view.list}'
  var source = {list: view.list, revision: revision}
  var copied = {list: past, snapshot: source, format: 'none'}
  ask.Ask(view, 'applySnapshot', copied, (_) => 0, (_) => 0)
  ask.Ask(view, 'locate', extend(what, {list: past}), Done, Otherwise)
  ask.Ask(view, 'removeList', {list: past}, (_) => 0, (_) => 0)
enddef

# Finds the items of the lines first to last, in slices: Done(items), with a reference to each, once: a row may
# have several lines, and an item several rows. What is toggled twice would be as it was.
def Items(view: dict<any>, first: number, last: number, Done: func)
  if view.text_revision < 0
    Done([])
    return
  elseif first == last
    Done([Ref(view, first)])
    return
  endif
  var text_revision: number = view.text_revision
  var items: list<dict<any>> = []
  var from = first
  var Locate: func
  Locate = () => {
    # The last item may have rows in this slice, too. Paths of one answer are comparable.
    var before = items[-1 :]
    var refs = before + range(from, min([last, from + SLICE - 1]))
      ->mapnew((_, line) => ({line: line, textRevision: text_revision}))
    from += SLICE
    ask.Ask(view, 'locate', {list: view.list, items: refs}, (found) => {
      var known: dict<bool> = {}
      for i in range(len(found.items))
        var place: any = found.items[i]
        var name = place == null ? '' : $'{place.at[0]} {place.at[1]}'
        if !empty(name) && !has_key(known, name)
          known[name] = true
          if i >= len(before)
            items->add({path: place.at, revision: found.revision})
          endif
        endif
      endfor
      if from <= last
        call(Locate, [])
      else
        call(Done, [items])
      endif
    }, (_) => call(Done, [[]]))
  }
  Locate()
enddef

# Does an action of `select` with the items of lines, in turn and in slices.
export def SelectItems(view: dict<any>, action: string, first: number, last: number)
  var Begin = PlaceIn(view.turns)
  var Finish = PlaceIn(view.turns)
  Items(view, first, last, (items) => {
    # `extend` is up to the last one.
    Begin(() => SelectSome(view, action, items, action == 'extend' ? max([0, len(items) - 1]) : 0, Finish))
  })
enddef

def SelectSome(view: dict<any>, action: string, items: list<dict<any>>, from: number, Finish: func)
  var some = items->slice(from, from + SLICE)
  var how = action == 'replace' && from > 0 ? 'select' : action
  var more = from + SLICE < len(items)
  if !empty(some)
    SelectThese(view, how, some, (err) => {
      # Not for a header, or an item that was just deleted.
      if !empty(err) && get(err, 'code') != NOT_FOUND && !get(err, 'ended', false)
        ask.Warn($'select: {err.message}')
      elseif more
        SelectSome(view, action, items, from + SLICE, Finish)
        return
      endif
      Finish(() => 0)
    })
  endif
  if !more
    Finish(() => 0)
  endif
enddef

# Does an action of `select` with some items, then calls Done(err). Items that were deleted meanwhile are left
# out: the request as a whole would fail.
def SelectThese(view: dict<any>, action: string, items: list<dict<any>>, Done: func)
  ask.Ask(view, 'select', {list: view.list, action: action, items: items}, (_) => Done({}), (err) => {
    if get(err, 'code') != NOT_FOUND || len(items) == 1
      Done(err)
      return
    endif
    ask.Ask(view, 'locate', {list: view.list, items: items}, (found) => {
      var rest: list<dict<any>> = []
      for place in found.items
        if place != null
          rest->add({path: place.at, revision: found.revision})
        endif
      endfor
      if empty(rest)
        Done({})
      else
        SelectThese(view, action, rest, Done)
      endif
    }, Done)
  })
enddef

# Reads the content of a row: Done(place) with {item, part, id, section, at, ref}. A header or footer has
# {section, header: true} or {section, footer: true}. Empty if there is nothing.
export def Content(view: dict<any>, row: dict<any>, place: dict<any>, Done: func)
  if empty(row)
    if has_key(place, 'header') || has_key(place, 'footer')
      var what = {section: Section(view, place, place.section)}
      what[has_key(place, 'header') ? 'header' : 'footer'] = true
      Done(what)
    else
      Done({})
    endif
    return
  endif
  var Nothing = (_) => Done({})
  ask.Ask(view, 'locate', {list: view.list, paths: [row.path]}, (found) => {
    var here = found.paths[0]
    if found.revision == row.revision && here != null
      var content = here.content
      var what = {at: row.path, ref: row, id: get(here, 'id', null), item: content,
        section: Section(view, here, row.path[0])}
      if type(content) == v:t_dict && has_key(content, '$part')
        extend(what, {item: content['$item'], part: content['$part']})
      endif
      Done(what)
      return
    endif
    # The list has changed since: look up the item's new path, which is that of its first row.
    ask.Ask(view, 'locate', {list: view.list, items: [row]}, (now) => {
      if now.items[0] == null
        Done({})
      else
        var path = {path: now.items[0].at, revision: now.revision}
        Content(view, path, {}, (first) => PartOf(view, row, first, Done))
      endif
    }, Nothing)
  }, Nothing)
enddef

# Calls Done(first), what the first row of an item shows, with the part that another row of it showed.
def PartOf(view: dict<any>, row: dict<any>, first: dict<any>, Done: func)
  if !has_key(first, 'part')
    Done(first)
    return
  endif
  LocateInPast(view, row.revision, {paths: [row.path]}, (past) => {
    var content = past.paths[0] == null ? null : past.paths[0].content
    remove(first, 'part')
    if type(content) == v:t_dict && has_key(content, '$part')
      first.part = content['$part']
    endif
    first.ref = row
    Done(first)
  }, (_) => Done({}))
enddef

def Section(view: dict<any>, place: dict<any>, number: number): any
  return get(place, 'sectionId', get(view.section_ids, number, null))
enddef

# Appends an entry to a queue; returns a function that sets what it runs.
def PlaceIn(queue: list<dict<any>>): func
  var step: dict<any> = {}
  queue->add(step)
  return (Run: func) => {
    step.Run = Run
    while !empty(queue) && has_key(queue[0], 'Run')
      var first = queue->remove(0)
      call(first.Run, [])  # not first.Run(): Vim 9.0 would lose, or crash on, what it captured
    endwhile
  }
enddef

# Does something when all that was asked for before has been sent.
export def InTurn(view: dict<any>, Run: func)
  var Ready = PlaceIn(view.turns)
  Ready(Run)
enddef

# Does something with the row of a line, in turn: Act(row, place).
export def WithRow(view: dict<any>, line: number, Act: func)
  var Ready = PlaceIn(view.turns)
  Resolve(view, line, (row, place) => Ready(() => Act(row, place)))
enddef

# Finds the selected items and what a line shows, both as they are in turn: Act(items, place), called
# in the order of asking.
export def WithSelected(view: dict<any>, line: number, Act: func)
  var Ready = PlaceIn(view.acts)
  var answer: dict<any> = {}
  var Both = () => {
    if has_key(answer, 'items') && has_key(answer, 'place')
      Ready(() => Act(answer.items, answer.place))
    endif
  }
  WithRow(view, line, (row, at) => {
    ask.Ask(view, 'getSelection', {list: view.list}, (result) => {
      answer.items = result.items
      Both()
    }, (err) => Ready(() => ask.Warn('getSelection: ' .. err.message)))
    Content(view, row, at, (place) => {
      answer.place = place
      Both()
    })
  })
enddef

defcompile
