vim9script
# Sends a large snapshot in parts, so that no key waits until all of it is encoded. The parts are
# collected in a list beside, which is applied as one change.

import autoload 'listd/client.vim' as wire
import autoload 'listd/text.vim'

const PART = 1000  # items that are sent at a time

var number = 0  # of the list beside
# What is asked while a snapshot is being sent, by buffers.
var waiting: dict<list<func>> = {}

# The edits that append sections to an empty list, in parts. Items are not copied.
def PartsOf(sections: any): list<list<any>>
  var parts: list<list<any>> = [[]]
  var room = PART
  for section in sections
    var items = get(section, 'items', [])
    var first = 0
    while first == 0 || first < len(items)
      if room <= 0
        parts->add([])
        room = PART
      endif
      var some = items->slice(first, first + room)
      parts[-1]->add(first == 0
        ? {edit: 'appendSections', sections: [extendnew(section, {items: some})]}
        : {edit: 'appendItems', section: section.id, items: some})
      first += max([len(some), 1])
      room -= len(some) + 1
    endwhile
  endfor
  return parts
enddef

# The sections of a snapshot that is large, else an empty list.
def Large(method: string, params: any): list<any>
  if method != 'applySnapshot' || !has_key(params, 'sections') && !has_key(params, 'items')
    return []
  endif
  var sections: any = get(params, 'sections', [{id: 'main', items: get(params, 'items', [])}])
  var size = len(sections)
  for section in sections
    size += len(get(section, 'items', []))
  endfor
  return size > PART ? sections : []
enddef

# Asks for a change of the list. A large snapshot is sent in parts; what is asked meanwhile waits.
export def Send(view: dict<any>, method: string, params: any, Done: func)
  if has_key(waiting, view.buf)
    waiting[view.buf]->add(() => Send(view, method, params, Done))
    return
  endif
  var sections = Large(method, params)
  if empty(sections)
    wire.Request(view.client, method, params, Done, true)
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
      ++index
      wire.Request(client, 'editSnapshot', {list: beside, edits: parts[index - 1], format: 'none'}, Sent)
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
  wire.Request(client, 'applySnapshot', extend(all, {snapshot: {list: beside}}), Done, true)
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
