vim9script
# The files of a folder as a tree. <CR> and <Tab> expand folders, which are read then and looked at each
# second. E edits the names, and :w renames the files.   :call listd#examples#tree#Open()

import autoload 'listd/ask.vim'
import autoload 'listd/client.vim' as wire
import autoload 'listd/filetree.vim'
import autoload 'listd/renaming.vim'
import autoload 'listd/view.vim' as views

const EVERY = 1000  # milliseconds
const OUTLINE = {
  tree: {parent: 'parent'},
  sort: [{by: 'lazy', order: 'descending'}, {by: 'name', as: 'natural'}],
}

# Looks at a folder, or at all that were read, one time after the other.
def Look(state: dict<any>, folder: any = null)
  if state.busy
    state.again->add(folder)
    return
  endif
  state.busy = true
  filetree.Look(state.tree, (edits) => {
    for edit in edits
      ask.Ask(state.view, 'editSnapshot', {list: state.source, edits: [edit], format: 'none'}, (_) => 0, (_) => 0)
    endfor
    state.busy = false
    if !empty(state.again)
      Look(state, remove(state.again, 0))
    endif
  }, folder)
enddef

# Begins with the folder alone.
def Begin(state: dict<any>)
  state.tree = filetree.Open(state.dir)
  extend(state, {busy: false, again: []})
  var section = {id: 'files', items: [], selectionMode: 'multiple'}
  ask.Ask(state.view, 'applySnapshot', {list: state.source, sections: [section]})
  views.Compose(state.view, {sources: [state.source], view: OUTLINE})
  Look(state)
enddef

def Refresh(state: dict<any>)
  if wire.Running(state.view.client)
    Look(state)
  elseif views.Attach(state.view)
    filetree.Close(state.tree)
    Begin(state)
  endif
enddef

def OpenItem(state: dict<any>, item: dict<any>, how: string)
  if has_key(item, 'lazy')
    views.Expand(state.view)
  else
    execute how fnameescape(filetree.Path(state.tree, item.id))
  endif
enddef

def Commit(state: dict<any>, changes: list<dict<any>>)
  for change in changes
    extend(change, {path: filetree.Path(state.tree, change.id), name: change.text,
      inode: filetree.File(state.tree, change.id).inode})
  endfor
  renaming.Files(changes)
  for change in changes
    if !has_key(change, 'problem')
      filetree.Renamed(state.tree, change.id, change.name)
    endif
  endfor
  Look(state)
enddef

export def Open(path = '.'): dict<any>
  var state: dict<any> = {dir: fnamemodify(path, ':p'), source: $'files of {getpid()}.{localtime()}.{rand()}', tree: 0}
  state.view = views.Open('tree:' .. state.dir, {
    name: $'listd://{state.dir}**',
    templates: {File: '{indent:  }{expanded:▾ |▸ |  }{name}'},
    highlights: [['^ *[▾▸].*', 'Directory']],
    actions: {expand: [(view) => views.Expand(view), '<Tab>']},
    edit: {
      Text: (item) => filetree.File(state.tree, item.id).name,
      Commit: (changes) => Commit(state, changes),
    },
    Expanded: (_, items) => items->mapnew((_, id) => Look(state, id)),
    Refresh: () => Refresh(state),
    Open: (item, how) => OpenItem(state, item, how),
    Closed: () => {
      timer_stop(state.timer)
      filetree.Close(state.tree)
      ask.Ask(state.view, 'removeList', {list: state.source})
    },
  })
  state.timer = timer_start(EVERY, (_) => empty(win_findbuf(state.view.buf)) ? 0 : Look(state), {repeat: -1})
  Begin(state)
  return state.view
enddef
