vim9script
# Lists in buffers, kept by listd: see :help listd

if exists('g:loaded_listd') || v:version < 900 || !has('job') || !has('signs') || !has('textprop')
  finish
endif
g:loaded_listd = true

import autoload 'listd/ask.vim'
import autoload 'listd/view.vim'
import autoload 'listd/files.vim'
import autoload 'listd/install.vim'

highlight default link ListdSelected Visual
highlight default link ListdSign Special

command -nargs=? -complete=dir ListdFiles files.Open(<q-args>)
command ListdRefresh With((shown) => view.Refresh(shown))
command -nargs=1 -range -complete=custom,Actions ListdSelect Select(<q-args>, <range>, <line1>, <line2>)
command ListdEdit With((shown) => view.EditLines(shown))
command ListdLog view.ShowLog()
command ListdStop view.Stop()
command ListdInstall install.Show()

# A buffer cannot be replaced while it is being read.
augroup listd
  autocmd!
  autocmd BufReadCmd listd:///* timer_start(0, (_) => files.Restore())
  autocmd SessionLoadPost * timer_start(0, (_) => files.Restore())
augroup END

def Actions(..._: list<any>): string
  return "toggle\nselect\ndeselect\nreplace\nextend\nall\nnone\ninvert"
enddef

def With(Does: func)
  var shown = view.OfBuffer()
  if empty(shown)
    ask.Warn('there is no list in this buffer')
  else
    Does(shown)
  endif
enddef

def Select(action: string, given: number, first: number, last: number)
  With((shown) => {
    if given > 0
      view.SelectLines(shown, action, first, last)
    else
      view.Select(shown, action)
    endif
  })
enddef
