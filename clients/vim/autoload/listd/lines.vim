vim9script
# Editing the lines of a list, as oil.nvim does: a buffer with a line for each row, in the list's
# window. A hidden number at the start of a line refers to its row, so lines may be moved. Writing the
# buffer passes the texts that were changed to the list's owner. The list goes on following.

import autoload 'listd/ask.vim'
import autoload 'listd/client.vim' as wire

const SLICE = 200  # lines that are resolved at a time
const PROBLEM = 'ListdProblem'  # the type of the text properties that show problems

var editing: dict<dict<any>> = {}  # {view, rows, text_revision, problems}, by the numbers of their buffers

# Finds the items that references refer to now: Done(found, err), with {id, item, at} or {} for each
# reference. Request(method, params, Then) asks the daemon; Then(err, result).
def Resolve(Request: func, list: string, refs: list<dict<any>>, Done: func, found: list<any> = [])
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

# The number of the row that a line refers to, 0 if there is none, and the rest of the line.
def Parse(line: string): list<any>
  var number = matchstr(line, '^/\zs\d\+\ze ')
  return empty(number) ? [0, line] : [str2nr(number), strpart(line, len(number) + 2)]
enddef

def StartsWith(text: string, start: string): bool
  return strpart(text, 0, len(start)) ==# start
enddef

# The row of a line of a buffer; empty if there is none.
def RowOf(rows: list<dict<any>>, number: number): dict<any>
  return number > 0 && number <= len(rows) ? rows[number - 1] : {}
enddef

# The bytes of a line before the text that can be changed; 0 if that is unknown.
def Start(rows: list<dict<any>>, line: string): number
  var [number, rest] = Parse(line)
  var row = RowOf(rows, number)
  return empty(row) || !StartsWith(rest, row.before) ? 0 : len(line) - len(rest) + len(row.before)
enddef

# Divides the lines into what stays and what can be changed: the member at the end of the line.
def Rows(edit: dict<any>, lines: list<string>, found: list<any>): list<dict<any>>
  var known: dict<bool> = {}
  return lines->mapnew((i, line) => {
    var row: dict<any> = {before: line, fixed: true}
    var item = get(found[i], 'item', null)
    var shown = type(item) == v:t_dict ? get(item, get(edit, 'member', 'name'), null) : item
    if type(shown) != v:t_string || empty(shown) || has_key(known, string(found[i].at))
        || strpart(line, len(line) - len(shown)) !=# shown
      return row
    endif
    known[string(found[i].at)] = true
    # A line break in a text is a zero byte in the buffer, as Vim has it.
    return {before: strpart(line, 0, len(line) - len(shown)), fixed: false, id: found[i].id,
      text: has_key(edit, 'Text') ? call(edit.Text, [item]) : shown}
  })
enddef

# Edits the lines of a view in the current window; see listd-edit-lines.
export def Open(view: dict<any>)
  var window = win_getid()
  var old = get(view, 'editing', -1)
  if !has_key(view.options, 'edit')
    ask.Warn('the lines of this list cannot be edited')
    return
  elseif has_key(editing, old)
    execute 'buffer' old
    return
  elseif view.text_revision < 0 || view.count == 0
    return
  endif
  var text_revision: number = view.text_revision
  var lines = getbufline(view.buf, 1, view.count)
  var refs = range(view.count)->mapnew((_, line) => ({line: line, textRevision: text_revision}))
  var Request = (method, params, Then) =>
    ask.Ask(view, method, params, (result) => Then({}, result), (err) => Then(err, null))
  Resolve(Request, view.list, refs, (found, err) => {
    if !empty(err)
      ask.Warn(err)
    elseif winbufnr(window) == view.buf && win_getid() == window
      Show(view, Rows(view.options.edit, lines, found), text_revision)
    endif
  })
enddef

# Shows the lines in the current window.
def Show(view: dict<any>, rows: list<dict<any>>, text_revision: number)
  var lnum = line('.')
  enew
  var buf = bufnr()
  view.editing = buf
  editing[buf] = {view: view, rows: rows, text_revision: text_revision, problems: {}}
  execute 'silent file' fnameescape($'{bufname(view.buf)} (editing {buf})')
  setlocal buftype=acwrite bufhidden=wipe noswapfile nobuflisted undolevels=-1
  setline(1, rows->mapnew((i, row) => $'/{i + 1} {row.before}{get(row, "text", "")}'))
  setlocal undolevels< nomodified filetype=listd-lines
  syntax match ListdReference "^/\d\+ " conceal
  augroup listd_lines
    autocmd! * <buffer>
    autocmd BufWinEnter <buffer> setlocal conceallevel=3 concealcursor=nvic nowrap signcolumn=yes
    autocmd BufWriteCmd <buffer> Write(str2nr(expand('<abuf>')))
    autocmd BufWipeout <buffer> remove(editing, str2nr(expand('<abuf>')))
    autocmd CursorMoved,CursorMovedI <buffer> ToText()
  augroup END
  doautocmd listd_lines BufWinEnter
  Map()
  cursor(min([lnum, len(rows)]), 1)
  ToText()
enddef

# Whether the cursor is not behind the text that stays, and how long that is.
def AtStart(): list<any>
  var start = Start(editing[bufnr()].rows, getline('.'))
  return [col('.') - 1 <= start, start]
enddef

# Keeps the cursor behind the number and the text that stays.
def ToText()
  var [before, start] = AtStart()
  if before
    cursor(0, start + 1)
  endif
enddef

def ToStart(after: string, after_empty: string): string
  var [_, start] = AtStart()
  if len(getline('.')) == start
    return "\<Esc>" .. after_empty
  endif
  return $"\<Esc>{strdisplaywidth(strpart(getline('.'), 0, start)) + 1}|{after}"
enddef

def Erased(): string
  var [_, start] = AtStart()
  return repeat("\<BS>", strchars(getline('.')->strpart(start, col('.') - 1 - start)))
enddef

def Map()
  for [key, after, after_empty] in [['0', '', '$'], ['^', '', '$'], ['<Home>', '', '$'], ['I', 'i', 'A'],
      ['cc', 'C', 'A'], ['S', 'C', 'A']]
    execute $'nnoremap <buffer> <expr> {key} ToStart("{after}", "{after_empty}")'
  endfor
  for key in ['<BS>', '<C-h>', '<C-w>']
    execute $'inoremap <buffer> <expr> {key} AtStart()[0] ? "" : "\{key}"'
  endfor
  inoremap <buffer> <expr> <C-u> Erased()
enddef

# What is wrong with lines, by number; the changes; the number of rows without a line.
def Read(rows: list<dict<any>>, lines: list<string>): list<any>
  var problems: dict<string> = {}
  var changes: list<dict<any>> = []
  var seen: dict<number> = {}
  for [i, line] in items(lines)
    var lnum = i + 1
    var [number, rest] = Parse(line)
    var row = RowOf(rows, number)
    if empty(row)
      if line =~ '\S'
        problems[lnum] = 'this line is new, and lines cannot be added'
      endif
    elseif has_key(seen, number)
      problems[lnum] = 'two lines stand for the same row'
      problems[seen[number]] = problems[lnum]
    else
      seen[number] = lnum
      if row.fixed && rest !=# row.before
        problems[lnum] = 'this line cannot be changed'
      elseif !row.fixed && !StartsWith(rest, row.before)
        problems[lnum] = 'only the text behind the indent can be changed'
      elseif !row.fixed && strpart(rest, len(row.before)) !=# row.text
        changes->add({lnum: lnum, number: number, row: row, text: strpart(rest, len(row.before))})
      endif
    endif
  endfor
  var missing = range(1, len(rows))->filter((_, number) =>
    !rows[number - 1].fixed && !has_key(seen, number))->len()
  return [problems, changes->filter((_, change) => !has_key(problems, change.lnum)), missing]
enddef

# Finds the items of changes as they are now, and has the owner commit them.
def Commit(view: dict<any>, text_revision: number, changes: list<dict<any>>)
  var refs: list<dict<any>> = []
  for change in changes
    # The line refers to the row by identity, as long as its text is known; after that, the id does.
    var line = {line: change.number - 1, textRevision: text_revision}
    refs->add(line)->add(change.row.id == null ? line : {id: change.row.id})
  endfor
  var answer: dict<any> = {}
  if !view.closed && wire.Running(view.client)
    Resolve((method, params, Then) => wire.Request(view.client, method, params, Then), view.list, refs,
      (found, err) => extend(answer, empty(err) ? {found: found} : {why: err}))
    wire.Wait(view.client, view.client.patience, () => !empty(answer))
  endif
  var present: list<dict<any>> = []
  for [i, change] in items(changes)
    var found = get(answer, 'found', [])
    var now = empty(found) ? {} : empty(found[2 * i]) ? found[2 * i + 1] : found[2 * i]
    if empty(now)
      change.problem = empty(found) ? get(answer, 'why', 'the list is not there any more') : 'it was deleted'
    else
      extend(change, {id: now.id, item: now.item})
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
enddef

def Count(number: number, what: string): string
  return $'{number} {what}{number == 1 ? "" : "s"}'
enddef

# What could not be done with lines of a buffer when it was written, by their texts.
export def Problems(buf: number): dict<string>
  return editing[buf].problems
enddef

# Commits the changes of a buffer. Lines that fail stay as they are, with the reason beside them.
def Write(buf: number)
  var state = editing[buf]
  var lines = getbufline(buf, 1, '$')
  var [problems, changes, missing] = Read(state.rows, lines)
  if !empty(changes)
    Commit(state.view, state.text_revision, changes)
  endif
  var done = 0
  for change in changes
    if has_key(change, 'problem')
      problems[change.lnum] = change.problem
    else
      change.row.text = change.text
      ++done
    endif
  endfor
  if empty(prop_type_get(PROBLEM, {bufnr: buf}))
    prop_type_add(PROBLEM, {bufnr: buf, highlight: 'WarningMsg'})
  endif
  prop_remove({type: PROBLEM, bufnr: buf, all: true})
  var wrong = problems->keys()->mapnew((_, lnum) => str2nr(lnum))->sort('n')
  state.problems = {}
  for lnum in wrong
    state.problems[Parse(lines[lnum - 1])[1]] = problems[lnum]
    prop_add(lnum, 0, {type: PROBLEM, bufnr: buf, text: '← ' .. problems[lnum], text_padding_left: 1})
  endfor
  setbufvar(buf, '&modified', !empty(wrong))
  var text = Count(done, 'line') .. ' changed'
    .. (missing > 0 ? $', {Count(missing, "deleted line")} ignored: nothing is removed' : '')
  if !empty(wrong)
    cursor(wrong[0], Start(state.rows, lines[wrong[0] - 1]) + 1)
    ask.Warn($'{text}, {Count(len(wrong), "line")} not: {problems[wrong[0]]}')
    return
  endif
  echo 'listd: ' .. text
  var row = RowOf(state.rows, Parse(getline('.'))[0])
  timer_start(0, (_) => Close(buf, state.view, row))  # after the command, which may be :wq
enddef

# Shows the list where its lines were edited, and goes to a row.
def Close(buf: number, view: dict<any>, row: dict<any>)
  for window in win_findbuf(buf)
    if bufexists(view.buf)
      win_execute(window, 'buffer ' .. view.buf)
    endif
  endfor
  var id: any = get(row, 'id', null)
  if id == null || !wire.Running(view.client)
    return
  endif
  ask.Ask(view, 'locate', {list: view.list, items: [{id: id}], text: true}, (found) => {
    var place = found.items[0]
    if place != null && place.line < view.count && bufnr() == view.buf
      cursor(place.line + 1, 1)
    endif
  }, (_) => 0)
enddef
