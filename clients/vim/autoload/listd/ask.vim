vim9script
# What a view asks of its daemon, and what it says to the person.

import autoload 'listd/client.vim' as wire

const AGAIN = 10.0  # seconds before the same message is shown again

var shown: dict<list<any>> = {}  # when, by message

# Asks the daemon, briefly: Done(result), or Otherwise(err) and, if there is none, a warning.
export def Ask(view: dict<any>, method: string, params: any, Done: func = (_) => 0,
    Otherwise: any = null)
  var asked = view.client
  if empty(asked)
    return
  endif
  wire.Request(asked, method, params, (err, result) => {
    if view.closed || asked isnot view.client
      return
    elseif empty(err)
      Done(result)
    elseif Otherwise != null
      Otherwise(err)
    elseif !get(err, 'ended', false)
      Warn($'{method}: {err.message}')
    endif
  }, true)
enddef

# Shows a message in one line, so that nobody has to press Enter, unless it was shown just now.
export def Warn(message: string)
  var text = 'listd: ' .. substitute(message, '^listd: ', '', '')->substitute('\_s\+', ' ', 'g')
  if has_key(shown, text) && reltimefloat(reltime(shown[text])) < AGAIN
    return
  endif
  shown[text] = reltime()
  if strdisplaywidth(text) > v:echospace
    text = strcharpart(text, 0, v:echospace - 1) .. '…'
  endif
  if mode() != 'c'
    redraw  # or Vim clears the message when it draws what has changed
  endif
  echohl WarningMsg
  echomsg text
  echohl None
enddef

defcompile
