vim9script
# Reads the text of a list in windows, so that no key waits for a long one. Meanwhile the buffer has the
# first lines of the text, and changes of these are applied. A buffer that shows an older text keeps it
# until the new one is read.

import autoload 'listd/ask.vim'
import autoload 'listd/buffer.vim'
import autoload 'listd/client.vim' as wire
import autoload 'listd/edits.vim'
import autoload 'listd/marks.vim'
import autoload 'listd/selection.vim'
import autoload 'listd/slices.vim'

const WINDOW = 500  # lines that are read at a time
const MARGIN = 50  # of these, lines that may be known already, in case a change deletes some meanwhile

# What was read, by buffers that show an older text. It is not a member of a view, which Vim would look
# through at each call.
var fresh: dict<list<string>> = {}

# Begins to follow the list. Its text, which may be long, is read afterwards.
export def Follow(view: dict<any>)
  extend(view, {following: false, text_revision: -1})
  ask.Ask(view, 'getText', {list: view.list, lines: {start: 0, count: 0}}, (now) =>
    Subscribe(view, 'textEdits', now.textRevision))
enddef

# Subscribes with a format; edits since a text are known to be few.
export def Subscribe(view: dict<any>, format: string, since = -1)
  var params: dict<any> = {list: view.list, format: format, content: false}
  if since >= 0
    params.sinceText = since
  endif
  ask.Ask(view, 'subscribe', params, (state) => {
    if format != 'textEdits'
      return
    endif
    extend(view, {following: true, revision: state.revision, cursor: state.cursor,
      selection: selection.Of(state)})
    if state.revision > 0
      Reread(view)
    elseif view.count == 0 && !view.unloaded
      view.text_revision = 0
    endif
  })
enddef

# Whether the buffer has the text that the client gave it.
export def Untouched(view: dict<any>): bool
  return getbufvar(view.buf, 'changedtick') == view.tick
enddef

# Reads the text from its beginning, as at the start and after a missed edit.
export def Reread(view: dict<any>)
  if view.rereading || view.unloaded
    return
  endif
  var lines: number = getbufinfo(view.buf)[0].linecount
  view.count = lines == 1 && getbufline(view.buf, 1) == [''] ? 0 : lines
  view.tick = getbufvar(view.buf, 'changedtick')
  # What is read has a number once that is known.
  extend(view, {rereading: true, text_revision: -1, fresh_revision: -1})
  fresh[view.buf] = []
  ReadOn(view)
enddef

# Gives up reading.
export def Stop(view: dict<any>)
  view.rereading = false
  Forget(view)
enddef

# Forgets what was read.
export def Forget(view: dict<any>)
  if has_key(fresh, view.buf)
    remove(fresh, view.buf)
  endif
enddef

# The number of lines that were read.
def LinesRead(view: dict<any>): number
  return has_key(fresh, view.buf) ? len(fresh[view.buf]) : view.count
enddef

# Reads the next window.
def ReadOn(view: dict<any>)
  var start: number = max([0, LinesRead(view) - MARGIN])
  ask.Ask(view, 'getText', {list: view.list, lines: {start: start, count: WINDOW}}, (now) => {
    if view.unloaded || !view.rereading
      Stop(view)
    else
      TakeWindow(view, start, now)
    endif
  }, (err) => {
    Stop(view)
    if get(err, 'code') != -31001
      ask.Warn('getText: ' .. err.message)
    endif
  })
enddef

def TakeWindow(view: dict<any>, start: number, now: any)
  if has_key(fresh, view.buf) && view.fresh_revision < 0
    extend(view, {revision: now.revision, fresh_revision: now.textRevision})
    if view.count == 0
      Forget(view)
      view.text_revision = now.textRevision
    endif
  elseif now.textRevision != (has_key(fresh, view.buf) ? view.fresh_revision : view.text_revision)
    view.rereading = false  # an edit was missed
    Reread(view)
    return
  endif
  var read = LinesRead(view)
  var lines = edits.Lines(now.text)
  var stop = start + len(lines)
  if read < start || read > stop && stop < now.lineCount
    ReadOn(view)  # a change has deleted or inserted many lines
    return
  endif
  lines = lines->slice(read - start)
  if has_key(fresh, view.buf)
    fresh[view.buf]->extend(lines)
  else
    buffer.Edit(view, [{first: read, last: read, lines: lines}], view.syncing ? null : now.cursorLine)
  endif
  if stop < now.lineCount
    ReadOn(view)
    return
  endif
  view.rereading = false
  if has_key(fresh, view.buf)
    view.text_revision = view.fresh_revision
    Replace(view, remove(fresh, view.buf), now.cursorLine)
  endif
  marks.MarkAll(view)
  buffer.Flush(view)
enddef

# Gives the buffer, which shows an older text, the lines of the new one.
def Replace(view: dict<any>, new: list<string>, cursor_line: any)
  var old = view.count == 0 ? [] : getbufline(view.buf, 1, view.count)
  buffer.Edit(view, edits.Between(old, new), cursor_line, [],
    (line) => line < len(old) ? index(new, old[line]) : -1)
enddef

# Reads the text edits of a change: Done(read). If they are long, that takes several turns of Vim's loop, and
# the messages that follow wait: until the change is shown, a line means the row that it shows.
export def ReadEdits(view: dict<any>, change: any, Done: func)
  var texts: any = get(change, 'textEdits', [])
  if type(texts) != v:t_string
    Done(edits.Read(texts))
    return
  endif
  var client = view.client
  wire.Hold(client)
  edits.ReadInSlices(texts, (read) => {
    wire.Guard(client, () => {
      if client is view.client && !view.closed
        Done(read)
      endif
    })
    slices.Later(0, () => wire.Resume(client))  # when the edits, too, are freed
  })
enddef

# Takes in the text of a change, with its edits as they were read. Returns false if rows are not to be marked
# yet.
export def Take(view: dict<any>, change: any, all: any): bool
  var aside = has_key(fresh, view.buf)
  if !view.following || aside && view.fresh_revision < 0
    return false  # what is read next is newer
  endif
  var known: number = aside ? view.fresh_revision : view.text_revision
  if get(change, 'textRevision', -2) == known
    return !view.rereading
  endif
  if !Untouched(view) || known < 0 || !has_key(change, 'textEdits') || get(change, 'baseTextRevision', -2) != known
    Forget(view)
    view.text_revision = -1  # a pending window shows that an edit was missed
    Reread(view)
    return false
  endif
  var [changes, cut] = edits.Clip(all, LinesRead(view), view.rereading, WINDOW)
  if aside
    view.fresh_revision = change.textRevision
    edits.Splice(fresh[view.buf], changes)
    return false
  endif
  view.text_revision = change.textRevision
  if cut
    marks.Unmark(view)  # all are marked at the end
  endif
  # While only the first lines are there, some may move from or to others.
  var moves: any = cut || view.rereading ? [] : get(change, 'moves', [])
  if edits.Scattered(moves)
    buffer.FindRows(view, change)
  endif
  var brought = buffer.Edit(view, changes, change.cursorLine, moves)
  if cut && !view.rereading
    view.rereading = true
    ReadOn(view)
  endif
  if !view.rereading && change.baseRevision != change.revision
    view.brought += brought
  endif
  return !view.rereading
enddef

defcompile
