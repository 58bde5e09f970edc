#!/usr/bin/env bash
# A script that uses listd through a pipe: one message per line, one answer per line.
# LISTD is the path of the daemon.
# Promise: A script needs no handshake and no headers.
# Promise: Exit codes at the end of input.

set -u
listd=${LISTD:?names the daemon}
source "$(dirname "${BASH_SOURCE[0]}")/check.bash"

# ask MESSAGE…: prints the answers to the messages, one per line.
ask() { printf '%s\n' "$@" | "$listd"; }

# apply ID ITEMS: an applySnapshot of the list "l".
apply() {
  jq -cn --argjson id "$1" --argjson items "$2" \
    '{jsonrpc: "2.0", id: $id, method: "applySnapshot", params: {list: "l", items: $items}}'
}

answers=$(ask "$(apply 1 '["a", "b"]')" "$(apply 2 '["b", "c"]')" "$(apply 3 '["b", "c"]')")
check 'a script needs no handshake' $'0\n0\n0' "$(jq -c '.error.code // 0' <<<"$answers")"
check 'answers come in order' $'1\n2\n3' "$(jq -c .id <<<"$answers")"
check 'a new list is a new section' '[[{"at":0,"count":1,"op":"insertSections","rows":[2]}]]' \
  "$(jq -cS 'select(.id == 1).result.stages' <<<"$answers")"
check 'one goes and one comes in one stage' \
  '[[{"at":[0,0],"count":1,"op":"deleteItems"},{"at":[0,1],"count":1,"op":"insertItems"}]]' \
  "$(jq -cS 'select(.id == 2).result.stages' <<<"$answers")"
check 'the same snapshot changes nothing' '[true,[]]' \
  "$(jq -cs '[.[1].result.revision == .[2].result.revision, .[2].result.stages]' <<<"$answers")"

check 'the id comes back as it was written' '"7 \u0041"' \
  "$(ask '{"jsonrpc":"2.0","id":"7 \u0041","method":"getLists"}' | grep -o '"7 \\u0041"')"
check 'a notification is not answered' '' \
  "$(ask '{"jsonrpc":"2.0","method":"applySnapshot","params":{"list":"l","items":[]}}')"
check 'the session outlives a line that is no JSON' $'[null,-32700]\n[1,null]' \
  "$(ask '{"jsonrpc":' "$(apply 1 '[]')" | jq -c '[.id, .error.code]')"
check 'a method that is none' '-32601' \
  "$(ask '{"jsonrpc":"2.0","id":1,"method":"applySnapshots"}' | jq -c .error.code)"
check 'an id that stands twice is told with both places' '[-31004,1,2]' \
  "$(ask "$(apply 1 '[{"id": 1}, {"id": 1}]')" |
    jq -c '.error | [.code, (.data.duplicates[0] | .id, (.pointers | length))]')"
check 'nothing asked, nothing answered' '' "$(: | "$listd")"

ask "$(apply 1 '[]')" >/dev/null
check 'the end of input between messages is a good end' 0 $?
printf 'Content-Length: 20\r\n\r\n{"jsonrpc"' | "$listd" >/dev/null 2>&1
check 'the end of input inside a message is a bad one' 1 $?
check 'a last line needs no newline' 1 "$(printf '%s' "$(apply 1 '[]')" | "$listd" | jq -c .id)"

message=$(apply 1 '["ä"]')
length=$(printf %s "$message" | wc -c)
framed=$(printf 'Content-Length: %d\r\n\r\n%s' "$length" "$message" | "$listd")
check 'headers are answered with headers' Content-Length: "${framed%% *}"

closing
