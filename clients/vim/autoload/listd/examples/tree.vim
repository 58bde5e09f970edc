vim9script
# The files of a folder as a tree. <CR> and <Tab> expand folders, which the daemon reads then and watches. E
# edits the names, and :w renames the files.   :call listd#examples#tree#Open()

import autoload 'listd/client.vim' as wire
import autoload 'listd/folders.vim'
import autoload 'listd/view.vim' as views

const OUTLINE = {
  tree: {parent: 'parent'},
  sort: [{by: 'lazy', order: 'descending'}, {by: 'name', as: 'natural'}],
}

def Begin(state: dict<any>)
  folders.Show(state.view, state.source, state.dir, OUTLINE)
enddef

def Refresh(state: dict<any>)
  if !wire.Running(state.view.client) && views.Attach(state.view)
    Begin(state)
  endif
enddef

def OpenItem(state: dict<any>, item: dict<any>, how: string)
  if has_key(item, 'lazy')
    views.Expand(state.view)
  else
    execute how fnameescape(folders.Path(state.dir, item))
  endif
enddef

export def Open(path = '.'): dict<any>
  var state: dict<any> = {dir: fnamemodify(path, ':p'), source: $'files of {getpid()}.{localtime()}.{rand()}'}
  state.view = views.Open($'{state.source}: {state.dir}', {
    name: $'listd://{state.dir}**',
    templates: {Cell: '{indent:  }{expanded:▾ |▸ |  }{name:line}'},
    highlights: [['^ *[▾▸].*', 'Directory']],
    actions: {expand: [(view) => views.Expand(view), '<Tab>']},
    edit: {
      Text: folders.Name,
      Shown: (item) => folders.Shown(item.name),
      Commit: (changes) => folders.Rename(state.view, state.source, state.dir, changes),
    },
    Refresh: () => Refresh(state),
    Open: (item, how) => OpenItem(state, item, how),
    Closed: () => folders.Close(state.view, state.source),
  })
  Begin(state)
  return state.view
enddef

defcompile
