vim9script
# Whether there is a daemon that this client can talk to, and how to get one. Nothing is fetched.

import autoload 'listd/client.vim' as wire

const PROTOCOL = 1
const FEATURES = ['compose.view.match', 'compose.view.tree', 'locate.match', 'references.line']

const HOW = [
  '',
  'To get the program, one of:',
  '',
  '  sudo dpkg -i listd_*.deb        the package of a release, on Debian and Ubuntu',
  '  pip install listd-*.whl         the wheel of a release, with the Python client',
  '  tar xzf listd-*.tar.gz          the tarball of a release; put bin on the path',
  '  clients/install                 from a checkout, into ~/.local; takes Swift 6.2',
  '',
  "It is found by g:listd_cmd, else $LISTD, else on the path, else in the checkout's build.",
]

# Looks for the daemon and talks to it: lines that say what was found, the last one a problem if it
# begins so.
def Verify(): list<string>
  var [cmd, where] = wire.Find()
  if empty(cmd)
    return [$'Problem: there is no listd to run (looked at {where})']
  endif
  var lines = ['Found by ' .. where]
  try
    var client = wire.Start((_, _) => 0, (_) => 0)
    for _ in range(400)
      if !empty(client.server) || !empty(client.ended)
        break
      endif
      sleep 5m
    endfor
    var server: dict<any> = client.server
    wire.Close(client)
    if empty(server)
      return lines->add($'Problem: {cmd[0]} does not answer {client.ended}')
    endif
    var info: any = get(server, 'serverInfo', {})
    if type(info) != v:t_dict || get(info, 'name', '') != 'listd'
      return lines->add($'Problem: {cmd[0]} is another program, not listd')
    endif
    var protocol = get(server, 'protocolVersion', 0)
    lines->add($'It answers: listd {get(info, "version", "")}, protocol {protocol}')
    var has: list<any> = get(get(server, 'capabilities', {}), 'features', [])
    var missing = copy(FEATURES)->filter((_, feature) => index(has, feature) < 0)
    return lines->add(protocol != PROTOCOL
      ? $'Problem: it speaks protocol {protocol}, this client {PROTOCOL}'
      : empty(missing) ? 'All is well.' : 'Problem: it is too old: it lacks ' .. join(missing, ', '))
  catch /^listd: /
    return lines->add('Problem: ' .. v:exception)
  endtry
  return lines
enddef

# Shows what was found in a buffer.
export def Show()
  var lines = Verify()
  if lines[-1] =~ '^Problem'
    lines += HOW
  endif
  botright new
  setlocal buftype=nofile bufhidden=wipe noswapfile nowrap
  setline(1, ['listd for Vim', ''] + lines)
  setlocal nomodifiable
enddef

defcompile
