vim9script
# The state of a git repository: what is staged, changed and new. <Tab> opens a file into its hunks,
# which are staged and unstaged one by one.   :call listd#examples#git#Open()

import autoload 'listd/ask.vim'
import autoload 'listd/view.vim' as views

const GIT = ['git', '--literal-pathspecs', '-c', 'core.quotePath=true', '-C']
const DIFF = ['diff', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv', '--submodule=short', '-U3',
  '--src-prefix=a/', '--dst-prefix=b/']  # whatever the person has set
# Runs git: Done(what it wrote).
def Git(dir: string, arguments: list<string>, input: string, Done: func)
  var parts: list<string> = []
  var job = job_start(GIT + [dir] + arguments, {out_mode: 'raw', err_io: 'null',
    out_cb: (_, part) => parts->add(part),
    close_cb: (_) => Done(parts->join('')),
    exit_cb: (_, code) => code == 0 ? 0 : ask.Warn($'git {arguments[0]} fails')})
  ch_sendraw(job, input)
  ch_close_in(job)
enddef
# A path as it is; git writes it in quotes if it has odd bytes.
const Path = (written: string): string => written[0] == '"' ? eval(written) : written
# The hunks of a diff, by path. A hunk is its lines, not their numbers. `patches` gets their bytes, by id.
def Hunks(diff: string, section: string, patches: dict<string>): dict<list<dict<any>>>
  var found: dict<list<dict<any>>> = {}
  for part in split("\n" .. diff, "\ndiff ")
    var [head; hunks] = split('diff ' .. part, "\n\\ze@@ ")
    var names = matchlist(head, "\n--- \\([^\t\n]*\\)\t\\?\n+++ \\([^\t\n]*\\)") ?? ['', '', '']  # none if it is binary
    var path = Path(names[2] == '/dev/null' ? names[1] : names[2])->strpart(2)
    found[path] = hunks->mapnew((_, hunk) => {
      var id = sha256($'{section} {path}' .. matchstr(hunk, "\n.*"))
      patches[id] = $"{head}\n{trim(hunk, "\n")}\n"
      return {id: id, template: 'GitHunk', section: section, text: trim(hunk, "\n")}
    })
  endfor
  return found
enddef
def Section(id: string, column: number, status: string, hunks: any, open: dict<bool>): dict<any>
  var [items, files] = [[], 0]
  for line in split(status, "\n")
    var state = line =~ '^??' ? '  +'[column] : line[column]
    if state != ' '
      var [file, path] = [$'{id} {line[3 :]}', line[3 :]]
      items->add({id: file, template: 'GitFile', state: state, path: path, name: strtrans(Path(path)), section: id})
      items->extend(has_key(open, file) ? get(hunks, Path(path), [])->map((_, hunk) => extend(hunk, {path: path})) : [])
      ++files
    endif
  endfor
  return {id: id, header: $'{id} ({files})', selectionMode: 'multiple', items: has_key(open, id) ? items : []}
enddef
# Shows the repository as it is now; `more` is for the snapshot.
def Refresh(state: dict<any>, more = {})
  var patches: dict<string> = {}
  Git(state.dir, ['status', '--porcelain', '--no-renames', '-uall'], '', (status) =>
    Git(state.dir, DIFF + ['--cached'], '', (staged) =>
      Git(state.dir, DIFF, '', (unstaged) => views.Apply(extend(state, {patches: patches}).view, extendnew(more, {sections: [
        Section('staged', 0, status, Hunks(staged, 'staged', patches), state.open),
        Section('unstaged', 1, status, Hunks(unstaged, 'unstaged', patches), state.open),
        Section('untracked', 2, status, {}, state.open)]})))))
enddef
# Runs git for each item, one after the other.
def Each(state: dict<any>, items: list<any>, for_file: list<string>, for_hunk: list<string>)
  if empty(items)
    Refresh(state)
  else
    var [item, is_hunk] = [items[0], items[0].template == 'GitHunk']
    Git(state.dir, is_hunk ? ['apply', '--cached', '--whitespace=nowarn'] + for_hunk : for_file + ['--', Path(item.path)],
      is_hunk ? get(state.patches, item.id, '') : '', (_) => Each(state, items[1 :], for_file, for_hunk))
  endif
enddef
# Expands a section or a file, or collapses it; the cursor goes from a hunk to its file.
def Expand(state: dict<any>, place: dict<any>)
  var id = has_key(place, 'item') ? $'{place.item.section} {place.item.path}' : get(place, 'section', '')
  var shut = has_key(state.open, id)
  state.open = shut ? state.open->filter((key, _) => key != id) : extend(state.open, {[id]: true})
  Refresh(state, shut && has_key(place, 'item') ? {cursor: id} : {})
enddef
export def Open(path = '.'): dict<any>
  var top = systemlist($'git -C {shellescape(fnamemodify(path, ':p'))} rev-parse --show-toplevel')
  if v:shell_error != 0
    ask.Warn($'git: {join(top)}')
    return {}
  endif
  var state = {dir: top[-1] .. '/', view: {}, open: {staged: true, unstaged: true, untracked: true}, patches: {}}
  var On = (staged, for_file, for_hunk) => (view) => views.Act(view, (items, _) => Each(state, copy(items)->filter(
    (_, item) => (item.section == 'staged') == staged), for_file, for_hunk))
  state.view = views.Open('git:' .. state.dir, {
    templates: {GitFile: '  {state} {name}', GitHunk: '{text}'},
    actions: {
      stage: [On(false, ['add'], []), 's'],
      none: [On(true, ['reset', '--quiet'], ['--reverse']), 'u'],
      expand: [(view) => views.Item(view, (_, place) => Expand(state, place)), '<Tab>']},
    highlights: [['^+.*', 'DiffAdd'], ['^-.*', 'DiffDelete'], ['^@@.*', 'Comment'], ['^\l.*', 'Title']],
    Refresh: () => Refresh(state),
    Open: (item, how) => execute($'{how} {fnameescape(state.dir .. Path(item.path))}', '')})
  Refresh(state)
  return state.view
enddef
defcompile
