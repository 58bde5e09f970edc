vim9script
# Chooses lines by what is typed. What is marked with <Tab> stays so whatever is typed next.
#   :call listd#examples#picker#Open(systemlist('find .'), 'Files', {chosen -> execute('args ' .. join(chosen))})

import autoload 'listd/ask.vim'
import autoload 'listd/rows.vim'
import autoload 'listd/view.vim' as views

const SOURCE = $'picked from {getpid()}'
const [SHOWN, SLICE] = [100, 2000]  # lines; lines that are sent at a time, for a key must not wait
const KEYS = {'<CR>': 'Choose(%s)', '<Esc>': 'Close(%s, [])', '<C-c>': 'Close(%s, [])', '<Tab>': 'Mark(%s, 1)',
  '<S-Tab>': 'Mark(%s, -1)', '<Down>': 'Move(%s, 1)', '<C-n>': 'Move(%s, 1)', '<Up>': 'Move(%s, -1)',
  '<C-p>': 'Move(%s, -1)'}
var picks: dict<dict<any>> = {}  # by the numbers of the buffers that queries are typed in

# The bytes before a number of UTF-16 units.
def Bytes(text: string, units: number): number
  var codes = str2list(text)->mapnew((_, code) => code > 0xffff ? [code, 0] : [code])->flattennew()
  return codes->slice(0, units)->filter((_, code) => code > 0)->list2str()->len()
enddef
# Highlights what was matched.
def Highlight(view: dict<any>)
  var lines = getbufline(view.buf, 1, view.count)
  ask.Ask(view, 'locate', {list: view.list, lines: range(len(lines)), match: true}, (found) => {
    prop_clear(1, max([1, view.count]), {bufnr: view.buf})
    for [index, place] in items(found.lines)
      var match = place == null ? null : get(place, 'match', null)
      for [from, to] in match == null ? [] : get(match.ranges, 'text', [])
        var [start, end] = [Bytes(lines[index], from), Bytes(lines[index], to)]
        prop_add(index + 1, start + 1, {bufnr: view.buf, type: 'ListdMatch', length: end - start})
      endfor
    endfor
  }, (_) => 0)  # the lines have changed again
enddef
def Changed(pick: dict<any>, change: dict<any>)
  setwinvar(pick.window, '&statusline', $'{change.view.matched} of {change.view.total}')
  win_execute(pick.window, change.revision == pick.best ? 'normal! gg' : '')
  pick.best = change.revision == pick.best ? 0 : pick.best
  Highlight(pick.view)
enddef
# In turn: after what was done with the lines of another query.
def Search(pick: dict<any>)
  var wanted = {match: {query: getbufline(pick.prompt, 1)[0]}, window: {count: SHOWN}, selection: 'source'}
  var params = {list: pick.view.list, sources: [SOURCE], view: wanted}
  rows.InTurn(pick.view, () => ask.Ask(pick.view, 'compose', params, (change) => extend(pick, {best: change.revision})))
enddef
def Add(pick: dict<any>, lines: list<string>, first: number)
  var items = lines[first : first + SLICE - 1]->mapnew((index, line) => ({id: first + index, text: line}))
  var params = {list: SOURCE, edits: [{edit: 'appendItems', items: items}], format: 'none'}
  if !empty(items)
    ask.Ask(pick.view, 'editSnapshot', params, (_) => Add(pick, lines, first + SLICE))
  endif
enddef
def Move(pick: dict<any>, by: number)
  win_execute(pick.window, $'normal! {max([1, min([line(".", pick.window) + by, pick.view.count])])}G')
enddef
def Mark(pick: dict<any>, by: number)
  views.SelectLines(pick.view, 'toggle', line('.', pick.window), line('.', pick.window))
  Move(pick, by)
enddef
def Choose(pick: dict<any>)
  var under: list<any> = []
  views.At(pick.view, line('.', pick.window), (item, _) => item == null ? 0 : len(add(under, item)))
  rows.InTurn(pick.view, () => ask.Ask(pick.view, 'getSelection', {list: SOURCE}, (marked) =>
    Close(pick, (empty(marked.items) ? under : marked.items)->mapnew((_, item) => item.text))))
enddef
def Close(pick: dict<any>, chosen: list<any>)
  if has_key(picks, pick.prompt)
    remove(picks, pick.prompt)
    stopinsert
    ask.Ask(pick.view, 'removeList', {list: SOURCE})
    execute 'silent! bwipeout!' pick.prompt pick.view.buf
    call(pick.Done, [chosen])
  endif
enddef
# Lets a person choose some of the lines: Done(chosen), with nothing if that was aborted.
export def Open(lines: list<string>, title: string, Done: func)
  botright :12new
  prop_type_delete('ListdMatch')
  prop_type_add('ListdMatch', {highlight: 'Title', combine: true, override: true})
  var pick: dict<any> = {best: 0, window: win_getid(), prompt: 0, Done: Done}
  pick.view = views.Open($'picked {getpid()}', {namespace: 'picker', maps: false, Changed: (_, change) => Changed(pick, change)})
  ask.Ask(pick.view, 'applySnapshot', {list: SOURCE, sections: [{id: 'main', items: [], selectionMode: 'multiple'}]})
  setlocal cursorline
  aboveleft :1new
  setlocal buftype=nofile bufhidden=wipe
  &l:statusline = substitute(title, '%', '%%', 'g')
  pick.prompt = bufnr()
  picks[pick.prompt] = pick
  for [key, act] in items(KEYS)
    execute $'inoremap <buffer> {key} <ScriptCmd>{printf(act, "picks[bufnr()]")}<CR>'
  endfor
  autocmd TextChangedI <buffer> Search(picks[bufnr()])
  autocmd BufWipeout <buffer> Close(get(picks, expand('<abuf>'), {prompt: ''}), [])
  startinsert
  Search(pick)
  Add(pick, lines, 0)
enddef
defcompile
