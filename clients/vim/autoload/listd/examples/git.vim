vim9script
# The state of a git repository: what is staged, changed and new. <Tab> opens a file into its hunks,
# which are staged and unstaged one by one.   :call listd#examples#git#Open()

import autoload 'listd/ask.vim'
import autoload 'listd/view.vim' as views

# Runs git: Done(what it wrote), with line breaks for zero bytes.
def Git(dir: string, arguments: list<string>, input: string, Done: func)
  var parts: list<string> = []
  var job = job_start(['git', '-C', dir] + arguments, {out_mode: 'raw', err_io: 'null',
    out_cb: (_, part) => parts->add(part),
    close_cb: (_) => Done(parts->join('')->substitute("\%x00", "\n", 'g')),
    exit_cb: (_, code) => code == 0 ? 0 : ask.Warn($'git {arguments[0]} fails')})
  ch_sendraw(job, input)
  ch_close_in(job)
enddef
# The hunks of a diff, by path. A hunk is its lines, not their numbers.
def Hunks(diff: string, section: string): dict<list<dict<any>>>
  var found: dict<list<dict<any>>> = {}
  var [head, path] = ['', '']
  for line in split(diff, "\n")
    if line =~ '^diff '
      [head, path] = [line .. "\n", '']
    elseif line =~ '^@@ '
      found[path] = get(found, path, [])->add({template: 'GitHunk', path: path, section: section,
        head: head, text: line, id: $'{section} {path}'})
    elseif has_key(found, path)
      found[path][-1].text ..= "\n" .. line
      found[path][-1].id ..= "\n" .. line
    else
      head ..= line .. "\n"
      path = matchstr(line, '^\(+++\|---\) [ab]/\zs.*') ?? path
    endif
  endfor
  return found
enddef

def Section(id: string, column: number, status: string, hunks: any, open: dict<bool>): dict<any>
  var items: list<dict<any>> = []
  var files = 0
  for line in split(status, "\n")
    var state = line =~ '^??' ? '  +'[column] : line[column]
    if state != ' '
      var [file, path] = [$'{id} {line[3 :]}', line[3 :]]
      items->add({id: file, template: 'GitFile', state: state, path: path, section: id})
      items->extend(has_key(open, file) ? get(hunks, path, []) : [])
      ++files
    endif
  endfor
  return {id: id, header: $'{id} ({files})', selectionMode: 'multiple',
    items: has_key(open, id) ? items : []}
enddef

def Refresh(state: dict<any>)
  Git(state.dir, ['status', '--porcelain', '-z', '--no-renames', '-uall'], '', (status) =>
    Git(state.dir, ['diff', '--no-renames', '--cached'], '', (staged) =>
      Git(state.dir, ['diff', '--no-renames'], '', (unstaged) =>
        views.Apply(state.view, {sections: [
          Section('staged', 0, status, Hunks(staged, 'staged'), state.open),
          Section('unstaged', 1, status, Hunks(unstaged, 'unstaged'), state.open),
          Section('untracked', 2, status, {}, state.open)]}))))
enddef

# Runs git for each item, one after the other.
def Each(state: dict<any>, items: list<any>, for_file: list<string>, for_hunk: list<string>)
  var item = get(items, 0, {})
  if empty(item)
    Refresh(state)
  elseif has_key(item, 'head')
    Git(state.dir, for_hunk, $"{item.head}{item.text}\n", (_) => Each(state, items[1 :], for_file, for_hunk))
  else
    Git(state.dir, for_file + ['--', item.path], '', (_) => Each(state, items[1 :], for_file, for_hunk))
  endif
enddef

def Expand(state: dict<any>, place: dict<any>)
  var id = has_key(place, 'item') ? $'{place.item.section} {place.item.path}' : get(place, 'section', '')
  state.open = has_key(state.open, id) ? state.open->filter((key, _) => key != id) : extend(state.open, {[id]: true})
  Refresh(state)
enddef
export def Open(path = '.'): dict<any>
  var state = {dir: fnamemodify(path, ':p'), view: {}, open: {staged: true, unstaged: true, untracked: true}}
  var On = (staged, for_file, for_hunk) => (view) => views.Act(view, (items, _) => Each(state, copy(items)->filter(
    (_, item) => (item.section == 'staged') == staged), for_file, for_hunk))
  state.view = views.Open('git:' .. state.dir, {
    templates: {GitFile: '  {state} {path}', GitHunk: '{text}'},
    actions: {
      stage: [On(false, ['add'], ['apply', '--cached']), 's'],
      none: [On(true, ['reset', '--quiet'], ['apply', '--cached', '--reverse']), 'u'],
      expand: [(view) => views.Item(view, (_, place) => Expand(state, place)), '<Tab>'],
    },
    highlights: [['^+.*', 'DiffAdd'], ['^-.*', 'DiffDelete'], ['^@@.*', 'Comment'], ['^\l.*', 'Title']],
    Refresh: () => Refresh(state),
    Open: (item, how) => execute($'{how} {fnameescape(state.dir .. item.path)}', ''),
  })
  Refresh(state)
  return state.view
enddef
