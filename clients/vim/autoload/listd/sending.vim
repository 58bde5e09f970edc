vim9script
# Sends a large snapshot in parts, so that no key waits until all of it is encoded. The parts are
# collected in a list beside, which is applied as one change.

import autoload 'listd/client.vim' as wire
import autoload 'listd/text.vim'

const PART = 1000  # items that are sent at a time

var number = 0  # of the list beside
# What is asked while a snapshot is being sent, by buffers.
var waiting: dict<list<func>> = {}

# Vim looks through all items of a value at each assignment and call that needs a type, such as keys(). A value of
# type any is passed on, and get(), mapnew() and slice() do not look either.

# The items of sections in parts: ranges of the items of a section, [section, first, count] each.
def PartsOf(sections: any): list<list<list<number>>>
  var parts: list<list<list<number>>> = [[]]
  var room = PART
  for index in range(len(sections))
    var count = len(sections[index].items)
    var first = 0
    while first == 0 || first < count
      if room <= 0
        parts->add([])
        room = PART
      endif
      var some = min([room, count - first])
      parts[-1]->add([index, first, some])
      first += max([some, 1])
      room -= some + 1
    endwhile
  endfor
  return parts
enddef

# A section whose list of items is not its owner's, which may be changed meanwhile.
def Own(section: any): any
  var own = copy(section)
  own.items = copy(get(section, 'items', []))
  return own
enddef

# The edit that appends a section with the first of its items, or more of them. These are taken out of its list.
def Appending(section: any, first: number, count: number): any
  var some = count > 0 ? remove(section.items, 0, count - 1) : []
  return first == 0
    ? {edit: 'appendSections', sections: [mapnew(section, (name, value) => name == 'items' ? some : value)]}
    : {edit: 'appendItems', section: section.id, items: some}
enddef

# The sections of a snapshot that is large, else an empty list.
def Large(method: string, params: any): any
  if method != 'applySnapshot'
    return []
  endif
  var sections: any = get(params, 'sections', [{id: 'main', items: get(params, 'items', [])}])
  var size = len(sections)
  for section in sections
    size += len(get(section, 'items', []))
  endfor
  return size > PART ? mapnew(sections, (_, section) => Own(section)) : []
enddef

# Asks for a change of the view's list. A large snapshot is sent in parts; what is asked meanwhile waits.
export def Send(view: dict<any>, method: string, params: any, Done: func)
  if has_key(waiting, view.buf)
    waiting[view.buf]->add(() => Send(view, method, params, Done))
    return
  endif
  var sections = Large(method, params)
  if empty(sections)
    wire.Request(view.client, method, extendnew(params, {list: view.list}), Done, true)
    return
  endif
  ++number
  var own = view.client.shared ? getpid() .. ':' : ''
  var beside = $'listd:next:{own}{number}:{view.list}'
  var parts = PartsOf(sections)
  var client = view.client
  var index = 0
  var Sent: func
  var Finish = (err) => {
    if empty(err)
      Apply(view, client, beside, params, Done)
    else
      call(Done, [err, null])
    endif
    wire.Request(client, 'removeList', {list: beside}, (_, _) => 0)
    SendLater(view)
  }
  Sent = (err, _) => {
    if !empty(err) || view.closed
      Finish(empty(err) ? {message: 'the view was closed', ended: true} : err)
    elseif index >= len(parts)
      Finish({})
    else
      var edits = parts[index]->mapnew((_, range) => Appending(sections[range[0]], range[1], range[2]))
      ++index
      wire.Request(client, 'editSnapshot', {list: beside, edits: edits, format: 'none'}, Sent)
    endif
  }
  waiting[view.buf] = []
  wire.Request(client, 'applySnapshot', {list: beside, sections: [], format: 'none'}, Sent)
enddef

# Applies the list beside.
def Apply(view: dict<any>, client: dict<any>, beside: string, params: any, Done: func)
  var follows = view.count > 0 || view.rereading
  if !follows
    view.following = false  # the change would have all of the text
    text.Subscribe(view, 'none')
  endif
  var all = filter(copy(params), (name, _) => name != 'sections' && name != 'items')
  wire.Request(client, 'applySnapshot', extend(all, {list: view.list, snapshot: {list: beside}}), Done, true)
  if !follows
    text.Follow(view)
  endif
enddef

# Sends what was asked meanwhile.
def SendLater(view: dict<any>)
  for Ask in remove(waiting, view.buf)
    call(Ask, [])
  endfor
enddef

defcompile
