vim9script
# Recorded sessions: edits of a text, one after the other, make the texts that were read; and the
# conversation of a list in a buffer, played again through the client, is answered as it was.

import './harness.vim' as t
import autoload 'listd/client.vim'
import autoload 'listd/edits.vim'

def Read(path: string): list<dict<any>>
  var entries: list<dict<any>> = []
  for line in readfile(path)
    try
      var entry = json_decode(line)
      if type(get(entry, 'message', null)) == v:t_dict
        entries->add(entry)
      endif
    catch /^Vim\%((\a\+)\)\=:E/
      # Some say things that Vim does not read, such as a member that is there twice.
    endtry
  endfor
  return entries
enddef

# Plays what the server said: how many texts were compared.
def Replay(path: string): number
  var texts: dict<dict<any>> = {}
  var compared = 0
  for entry in Read(path)
    if entry.from != 'server'
      continue
    endif
    var got = get(entry.message, 'result', get(entry.message, 'params', null))
    if type(got) != v:t_dict || !has_key(got, 'list')
      continue
    endif
    var text = get(texts, got.list, {})
    if has_key(got, 'text') && has_key(got, 'textRevision')
      var lines = edits.Lines(got.text)
      if !empty(text) && text.revision == got.textRevision
        assert_equal(empty(lines) ? [''] : lines, getbufline(text.buf, 1, '$'), path)
        ++compared
      endif
      var buf = bufadd('')
      bufload(buf)
      setbufline(buf, 1, lines)
      texts[got.list] = {buf: buf, count: len(lines), revision: got.textRevision}
    elseif has_key(got, 'textEdits') && has_key(got, 'baseTextRevision') && !empty(text)
      if got.baseTextRevision == text.revision
        text.count = edits.Apply(text.buf, text.count, edits.Read(got.textEdits), (_, _) => 0)
        text.revision = got.textRevision
      endif
    endif
  endfor
  return compared
enddef

t.Test('the texts of all sessions', () => {
  var compared = 0
  for path in glob('Tests/Sessions/*.ndjson', false, true)
    compared += Replay(path)
  endfor
  assert_true(compared >= 6, $'{compared} texts compared')
})

t.Test('the conversation of a list in a buffer', () => {
  var got: list<any> = []
  var wanted: list<any> = []
  var Notified = (method: string, params: dict<any>) => {
    got->add({method: method, params: params->filter((name, _) => name != 'request')})
  }
  var running = client.Start(Notified, (_) => 0)
  for entry in Read('Tests/Sessions/a-list-in-a-buffer.ndjson')
    var message = entry.message
    if entry.from == 'server' && has_key(message, 'method')
      message.params->filter((name, _) => name != 'request')
      wanted->add({method: message.method, params: message.params})
    elseif entry.from == 'server'
      wanted->add({err: get(message, 'error', {}), result: get(message, 'result', null)})
    elseif has_key(message, 'id')
      client.Request(running, message.method, get(message, 'params', {}),
        (err, result) => got->add({err: err, result: result}))
    else
      client.Notify(running, message.method, get(message, 'params', {}))
    endif
  endfor
  t.Wait('the end', () => !empty(running.ended))
  assert_true(len(wanted) > 30, $'{len(wanted)} messages')
  assert_equal(wanted, got)
})

t.Finish()
