vim9script
# Editing the lines of a list, as oil.nvim does: a buffer with a line for each row, in the list's
# window. A text property of a line refers to its row. Writing the buffer passes the texts that were changed to the
# list's owner. The list goes on following.

import autoload 'listd/ask.vim'
import autoload 'listd/client.vim' as wire
import autoload 'listd/commits.vim'

const PROBLEM = 'ListdProblem'  # the type of the text properties that show problems
const ROW = 'ListdRow'  # of those that refer to rows, by numbers from 1

# {view, client, rows, text_revision, problems, lines, changed, moved}, by the numbers of their buffers; `lines` are those
# of the rows as they were last known. Since then, lines were moved or some were `changed`.
var editing: dict<dict<any>> = {}

prop_type_add(PROBLEM, {highlight: 'WarningMsg'})
prop_type_add(ROW, {})

def StartsWith(text: string, start: string): bool
  return strpart(text, 0, len(start)) ==# start
enddef

# The numbers of the rows that each of some lines refers to: one, unless the line is new or lines were joined.
def Numbers(buf: number, first: number, last: number): list<list<number>>
  var numbers: list<list<number>> = range(first, last)->mapnew((_, _) => [])
  for prop in prop_list(first, {bufnr: buf, end_lnum: last, types: [ROW]})
    numbers[prop.lnum - first]->add(prop.id)
  endfor
  return numbers
enddef

# The row of a line of the current buffer; empty if there is none.
def RowOf(lnum: number): dict<any>
  var numbers = Numbers(bufnr(), lnum, lnum)[0]
  return len(numbers) == 1 ? editing[bufnr()].rows[numbers[0] - 1] : {}
enddef

# The bytes of a line of the current buffer before the text that can be changed; 0 if that is unknown.
def Start(lnum: number): number
  var row = RowOf(lnum)
  return empty(row) || !StartsWith(getline(lnum), row.before) ? 0 : len(row.before)
enddef

# Remembers some lines of the current buffer as those of their rows; returns the numbers of the rows.
def Remember(first: number, last: number): list<list<number>>
  var state = editing[bufnr()]
  var numbers = Numbers(bufnr(), first, last)
  for [i, line] in items(getline(first, last))
    if len(numbers[i]) == 1
      state.lines[numbers[i][0] - 1] = line
    endif
  endfor
  return numbers
enddef

# Notes which lines were changed, and whether some may have been moved.
def Changed(buf: number, changes: list<dict<number>>)
  var state = editing[buf]
  for change in changes
    if change.added != 0 || change.end > change.lnum + 1
      state.moved = true
    else
      state.changed[change.lnum] = true
    endif
  endfor
enddef

# Finds the rows of lines that were moved in the current buffer, which have lost their text properties by `dd` and
# `p`, :move or :sort. Such a line is as it was remembered, and there is no other one like it.
def Track()
  var state = editing[bufnr()]
  listener_flush()
  if !state.moved
    for lnum in keys(state.changed)
      Remember(str2nr(lnum), str2nr(lnum))
    endfor
    state.changed = {}
    return
  endif
  extend(state, {changed: {}, moved: false})
  var numbers = Remember(1, line('$'))
  var present: dict<bool> = {}
  for number in flattennew(numbers)
    present[number] = true
  endfor
  if len(present) == len(state.rows)
    return
  endif
  var lost: dict<list<number>> = {}
  for number in range(1, len(state.rows))
    if !has_key(present, number)
      lost[state.lines[number - 1]] = get(lost, state.lines[number - 1], [])->add(number)
    endif
  endfor
  var found: dict<list<number>> = {}
  for [i, line] in items(getline(1, '$'))
    if empty(numbers[i]) && has_key(lost, line)
      found[line] = get(found, line, [])->add(i + 1)
    endif
  endfor
  for [line, lnums] in items(found)
    if len(lnums) == 1 && len(lost[line]) == 1
      prop_add(lnums[0], 1, {type: ROW, id: lost[line][0]})
    endif
  endfor
enddef

# Divides the lines into what stays and what can be changed: the member at the end of the line.
def Rows(edit: dict<any>, lines: list<string>, found: list<any>): list<dict<any>>
  var known: dict<bool> = {}
  return lines->mapnew((i, line) => {
    var row: dict<any> = {before: line, fixed: true}
    var item = get(found[i], 'item', null)
    var shown = type(item) != v:t_dict ? item : has_key(edit, 'Shown') ? call(edit.Shown, [item])
      : get(item, get(edit, 'member', 'name'), null)
    if type(shown) != v:t_string || empty(shown) || has_key(known, string(found[i].at))
        || strpart(line, len(line) - len(shown)) !=# shown
      return row
    endif
    known[string(found[i].at)] = true
    # A line break in a text is a zero byte in the buffer, as Vim has it.
    return {before: strpart(line, 0, len(line) - len(shown)), fixed: false, id: found[i].id, item: item,
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
  commits.Resolve(Request, view.list, refs, (found, err) => {
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
  var shown = rows->mapnew((_, row) => row.before .. get(row, 'text', ''))
  editing[buf] = {view: view, client: view.client, rows: rows, text_revision: text_revision, problems: {},
    lines: shown, changed: {}, moved: false}
  execute 'silent file' fnameescape($'{bufname(view.buf)} (editing {buf})')
  setlocal buftype=acwrite bufhidden=wipe noswapfile nobuflisted undolevels=-1
  setline(1, shown)
  for number in range(1, len(rows))
    prop_add(number, 1, {type: ROW, id: number})
  endfor
  setlocal undolevels< nomodified filetype=listd-lines
  listener_add((_, _, _, _, changes) => Changed(buf, changes))
  augroup listd_lines
    autocmd! * <buffer>
    autocmd BufWinEnter <buffer> setlocal nowrap signcolumn=yes
    autocmd BufWriteCmd <buffer> Write(str2nr(expand('<abuf>')))
    autocmd BufWipeout <buffer> remove(editing, str2nr(expand('<abuf>')))
    autocmd CursorMoved,CursorMovedI <buffer> ToText()
    autocmd TextChanged <buffer> Track()
    autocmd TextYankPost <buffer> Remember(line("'["), line("']"))  # they are about to be deleted
    autocmd InsertLeave <buffer> Remember(line('.'), line('.'))
  augroup END
  doautocmd listd_lines BufWinEnter
  Map()
  cursor(min([lnum, len(rows)]), 1)
  ToText()
enddef

# Whether the cursor is not behind the text that stays, and how long that is.
def AtStart(): list<any>
  var start = Start(line('.'))
  return [col('.') - 1 <= start, start]
enddef

# Keeps the cursor behind the text that stays.
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

# What is wrong with the lines of the current buffer, by number; the changes; the number of rows without a line.
def Read(): list<any>
  var rows: list<dict<any>> = editing[bufnr()].rows
  var problems: dict<string> = {}
  var changes: list<dict<any>> = []
  var seen: dict<number> = {}
  var without: dict<list<number>> = {}  # lines without a row, by their texts
  var numbers = Numbers(bufnr(), 1, line('$'))
  for [i, line] in items(getline(1, '$'))
    var lnum = i + 1
    if empty(numbers[i])
      without[line] = get(without, line, [])->add(lnum)
      continue
    endif
    for number in numbers[i]
      if has_key(seen, number)
        problems[lnum] = 'two lines stand for the same row'
        problems[seen[number]] = problems[lnum]
      endif
      seen[number] = lnum
    endfor
    var row = rows[numbers[i][0] - 1]
    if len(numbers[i]) > 1
      problems[lnum] = 'several lines were joined in this one'
    elseif row.fixed && line !=# row.before
      problems[lnum] = 'this line cannot be changed'
    elseif !row.fixed && !StartsWith(line, row.before)
      problems[lnum] = 'only the text behind the indent can be changed'
    elseif !row.fixed && strpart(line, len(row.before)) !=# row.text
      changes->add({lnum: lnum, number: numbers[i][0], row: row, text: strpart(line, len(row.before))})
    endif
  endfor
  var missing: dict<number> = {}  # rows without a line, by their texts
  for [i, row] in items(rows)
    if !has_key(seen, i + 1)
      var text = row.before .. get(row, 'text', '')
      missing[text] = get(missing, text) + 1
    endif
  endfor
  for [text, lnums] in items(without)
    if len(lnums) <= get(missing, text)
      missing[text] -= len(lnums)  # moved, and as they were
    elseif text =~ '\S'
      for lnum in lnums
        problems[lnum] = 'this line is new, or was changed while it was moved'
      endfor
    endif
  endfor
  changes->filter((_, change) => !has_key(problems, change.lnum))
  return [problems, changes, reduce(values(missing), (all, count) => all + count, 0)]
enddef

# What could not be done with lines of a buffer when it was written, by their texts.
export def Problems(buf: number): dict<string>
  return editing[buf].problems
enddef

# Commits the changes of a buffer. Lines that fail stay as they are, with the reason beside them.
def Write(buf: number)
  var state = editing[buf]
  Track()
  var [problems, changes, missing] = Read()
  if !empty(changes)
    if !commits.Confirmed(changes)
      echo 'listd: nothing was changed'
      return
    endif
    commits.Commit(state, changes)
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
  prop_remove({type: PROBLEM, bufnr: buf, all: true})
  var wrong = problems->keys()->mapnew((_, lnum) => str2nr(lnum))->sort('n')
  state.problems = {}
  for lnum in wrong
    state.problems[getline(lnum)] = problems[lnum]
    prop_add(lnum, 0, {type: PROBLEM, bufnr: buf, text: '← ' .. problems[lnum], text_padding_left: 1})
  endfor
  setbufvar(buf, '&modified', !empty(wrong))
  var text = commits.Count(done, 'line') .. ' changed'
    .. (missing > 0 ? $', {commits.Count(missing, "deleted line")} ignored: nothing is removed' : '')
  if !empty(wrong)
    cursor(wrong[0], Start(wrong[0]) + 1)
    ask.Warn($'{text}, {commits.Count(len(wrong), "line")} not: {problems[wrong[0]]}')
    return
  endif
  var row = RowOf(line('.'))
  timer_start(0, (_) => Close(buf, state.view, row, text))  # after the command, which may be :wq
enddef

# Shows the list where its lines were edited, goes to a row, and reports what was done.
def Close(buf: number, view: dict<any>, row: dict<any>, text: string)
  for window in win_findbuf(buf)
    if bufexists(view.buf)
      win_execute(window, 'buffer ' .. view.buf)
    endif
  endfor
  redraw
  echo 'listd: ' .. text
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

defcompile
