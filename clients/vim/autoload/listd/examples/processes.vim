vim9script
# The processes, those that work most first, looked at each second. The cursor and what is selected stay
# on their processes.   :call listd#examples#processes#Open()

import autoload 'listd/view.vim' as views

const EVERY = 1000  # milliseconds
const LINE = '^\s*\(\d\+\)\s\+\(\S\+\)\s\+\(\S\+\)\s\+\(\d\+\)\s\+\(.*\)'

# The snapshot of what `ps` has written. Columns are as wide as their widest value.
def Snapshot(lines: list<string>): dict<any>
  var rows = lines->mapnew((_, line) => matchlist(line, LINE))->filter((_, row) => !empty(row))
  var width = rows->mapnew((_, row) => len(row[2]))->max()
  rows->sort((a, b) => a[3] == b[3] ? str2nr(a[1]) - str2nr(b[1]) : str2float(a[3]) > str2float(b[3]) ? -1 : 1)
  var items = rows->mapnew((_, row) => ({
    id: str2nr(row[1]),
    template: 'Process',
    name: strtrans(row[5]),
    columns: printf('%7s  %-*s  %5s  %7.1fM', row[1], width, row[2], row[3], str2float(row[4]) / 1024),
  }))
  var header = printf('%7s  %-*s  %5s  %8s  name', 'pid', width, 'user', 'cpu', 'memory')
  return {sections: [{id: 'processes', header: header, selectionMode: 'multiple', items: items}]}
enddef

def Look(state: dict<any>)
  if !state.busy && !state.view.closed
    state.busy = true
    state.lines = []
    job_start(['ps', '-A', '-o', 'pid=,user=,pcpu=,rss=,comm='], {
      out_cb: (_, line) => state.lines->add(line),
      close_cb: (_) => Show(state),
    })
  endif
enddef

def Show(state: dict<any>)
  var Shown = (_, _) => extend(state, {busy: false})
  state.busy = views.Apply(state.view, Snapshot(state.lines), Shown)
enddef

def Terminate(state: dict<any>, items: list<any>)
  for item in items
    system($'kill {item.id}')
  endfor
  Look(state)
enddef

export def Open(): dict<any>
  var state = {busy: false, lines: [], view: {}, timer: 0}
  state.view = views.Open('processes', {
    templates: {Process: '{columns}  {name}'},
    highlights: [['^ *pid .*', 'Title'], ['^ *\d\+', 'Number']],
    actions: {
      terminate: [(view) => views.Act(view, (items, _) => Terminate(state, items)), 'K'],
    },
    Refresh: () => Look(state),
    Closed: () => timer_stop(state.timer),
  })
  state.timer = timer_start(EVERY, (_) => {
    if !empty(win_findbuf(state.view.buf))
      Look(state)
    endif
  }, {repeat: -1})
  Look(state)
  return state.view
enddef

defcompile
