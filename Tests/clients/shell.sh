#!/usr/bin/env bash
# Tests of the shell client: its functions, examples and README. LISTD names the daemon.
# Promise: A bash script that fails keeps its exit code.

set -u
export LISTD=${LISTD:?the path of the daemon}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
shell=$root/clients/shell
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source "$(dirname "${BASH_SOURCE[0]}")/../shell/check.bash"

# fake BODY: prints the path of a daemon that replies to `initialize` and then runs BODY.
fake() {
  cat >"$work/fake" <<END
#!/usr/bin/env bash
read -r line
jq -c '{jsonrpc, id, result: {}}' <<<"\$line"
read -r line
$1
END
  chmod +x "$work/fake"
  echo "$work/fake"
}

# The functions must work in a program with `set -e`.
set -e
source "$shell/listd.bash"
LISTD_LOG=$work/log listd_start
LISTD_LOG=$work/log

result=$(listd_call applySnapshot '{"list": "l",
  "items": ["a", "b"]}')
check 'a result is one line' 2 "$(jq .counts.rows.inserts <<<"$result")"
check 'parameters may be read from standard input' '["b","ä"]' \
  "$(printf '{"list":"l","items":["b","ä"]}' | listd_call applySnapshot - >"$work/result" &&
    listd_call getSnapshot '{"list":"l"}' | jq -c '.sections[0].items')"
status=0
why=$(listd_call getSnapshot '{"list":"nope"}' 2>&1) || status=$?
check 'an error reply returns 1 and is printed' '1 -31001' "$status $(jq .code <<<"$why")"
status=0
LISTD_LOG='' listd_call getLists '{"list":' 2>"$work/why" || status=$?
check 'invalid JSON is refused' '1 -32700' "$status $(jq .code "$work/why")"
big=$(jq -nc '{list: "big", items: [range(30000) | {id: ., text: "line \(.)"}]}')
check 'a message may be large' 30000 "$(listd_call applySnapshot "$big" | jq .counts.rows.inserts)"

if listd_call subscribe '{"list":"l"}' >/dev/null 2>&1; then
  listd_heard() { jq -r .method <<<"$1" >>"$work/heard"; }
  listd_call applySnapshot '{"list":"l","items":[]}' >/dev/null
  listd_call getLists >/dev/null
  check 'a notification before a reply is passed to listd_heard' didChange "$(cat "$work/heard")"
  listd_call removeList '{"list":"l"}' >/dev/null
  listd_listen 1
  check 'and so is one while no request is pending' didRemove "$(tail -n 1 "$work/heard")"
fi

status=0
listd_stop || status=$?
check 'listd_stop succeeds' 0 "$status"
status=0
listd_call getLists 2>/dev/null || status=$?
check 'a call after the end fails' 2 "$status"
check 'the log has the messages of both sides' '["client","server"]' "$(jq -cs 'map(.from) | unique' "$work/log")"
check 'the log has complete messages' 0 \
  "$(jq -s 'map(select(.message.jsonrpc != "2.0")) | length' "$work/log")"
unset LISTD_LOG

LISTD=$(fake 'exit 3') listd_start
status=0
listd_call getLists 2>"$work/why" || status=$?
check 'the end of the daemon is an error' 2 "$status"
status=0
listd_stop || status=$?
check 'listd_stop returns its exit code' 3 "$status"

LISTD=$(fake 'while read -r line; do :; done') listd_start
status=0
LISTD_TIMEOUT=1 listd_call getLists 2>/dev/null || status=$?
check 'a reply that is late is a timeout' 3 "$status"
LISTD_TIMEOUT=1 listd_stop || true

LISTD=$(fake 'read -r line
echo "{\"jsonrpc\":\"2.0\",\"id\":\"late\",\"result\":1}"
printf "%s" "{\"jsonrpc\":\"2.0\","
sleep 0.1
jq -r "\"\\\"id\\\":\\\"\\(.id)\\\",\\\"result\\\":2}\"" <<<"$line"
read -r line') listd_start
check 'a late reply is ignored, and the rest of a line is awaited' 2 "$(listd_call getLists)"
LISTD_TIMEOUT=1 listd_stop || true

status=0
LISTD=$work/nothing listd_start 2>/dev/null || status=$?
check 'LISTD names a missing program' 2 "$status"
mkdir "$work/empty"
check 'listd is found on PATH' "$work/empty/listd" "$(
  unset LISTD
  printf '#!/bin/sh\n' >"$work/empty/listd" && chmod +x "$work/empty/listd"
  PATH=$work/empty:$PATH listd_find
)"
set +e

# script LINE…: runs a script that stops its daemon at its end, and prints its exit code.
script() {
  printf '%s\n' 'set -euo pipefail' "source '$shell/listd.bash'" 'listd_start' \
    'trap listd_stop EXIT' "$@" >"$work/script"
  status=0
  timeout 20 bash "$work/script" >"$work/said" 2>"$work/why" || status=$?
  echo "$status"
}
check 'a failing script keeps its exit code' 1 "$(script false)"
check 'an explicit exit code is kept' 7 "$(script 'listd_call getLists' 'exit 7')"
check 'and the replies are printed' '{"lists":[]}' "$(cat "$work/said")"
check 'a successful script ends with 0' 0 "$(script 'listd_call getLists')"
check 'an error reply is 1' 1 "$(script "listd_call getSnapshot '{\"list\":\"nope\"}'")"
check 'the exit code is kept even if the daemon was killed' 7 \
  "$(script 'kill -9 "$listd_pid"' 'sleep 0.2' 'exit 7')"
check 'a script whose daemon was killed fails' 137 \
  "$(script 'kill -9 "$listd_pid"' 'sleep 0.2')"
mkdir "$work/bare"
for program in bash dirname; do ln -s "$(command -v "$program")" "$work/bare"; done
check 'without jq it names what it needs' '2 listd.bash needs jq: https://jqlang.org' \
  "$(status=0; PATH=$work/bare bash -c "source '$shell/listd.bash'; listd_start" 2>"$work/why" ||
    status=$?; echo "$status $(cat "$work/why")")"

# Ctrl-C: a terminal sends the signal to the whole process group.
cat >"$work/script" <<END
source '$shell/listd.bash'
listd_start
trap 'listd_call applySnapshot "{\"list\":\"l\",\"items\":[1]}" | jq .revision; listd_stop; exit' INT
echo ready
while :; do sleep 0.1; done
END
exec {scripted}< <(exec setsid bash -c 'echo $$; exec bash "$0"' "$work/script")
read -r -t 20 -u "$scripted" group
read -r -t 20 -u "$scripted" ready
kill -INT -- "-$group"
check 'Ctrl-C reaches the script and not its daemon' 1 "$(timeout 20 cat <&"$scripted")"

for other in dash zsh; do
  command -v "$other" >/dev/null || continue
  why=$("$other" -c ". '$shell/listd.bash'; echo \$?" 2>&1)
  check "$other prints what is needed" \
    $'listd.bash needs bash 4.2 or newer: begin the script with #!/usr/bin/env bash\n2' "$why"
done

mkdir "$work/files"
touch "$work/files/"{a,b,'c d'}
exec {watched}< <("$shell/examples/watch" "$work/files" 1 3)
for ((line = 0; line < 3; line++)); do
  read -r -t 20 -u "$watched" line_read
done
check 'a watch begins with the present files' '+ c d' "$line_read"
mv "$work/files/a" "$work/files/x"
mkdir "$work/other" && touch "$work/other/new" && mv "$work/other/new" "$work/files/new"
mv "$work/files/b" "$work/other"
check 'and prints the changes' $'* a → x\n+ new\n- b' \
  "$(timeout 20 cat <&"$watched" | sort)"
wait

sleep 60 &
sleeper=$!
disown
"$shell/examples/processes" 2 >"$work/processes" &
sleep 1
kill "$sleeper"
wait
check 'a process that ended is printed' "- $sleeper sleep" "$(grep -- "^- $sleeper" "$work/processes")"

# A daemon that other programs use.
export LISTD_SOCKET=$work/socket
"$LISTD" connect --start "$LISTD_SOCKET" --exit-when-idle 20 </dev/null
listd_start connect "$LISTD_SOCKET"
listd_call subscribe '{"list":"jobs","format":"ops"}' >/dev/null
printf '1 build\n2 test\n' | "$LISTD" set jobs --key-field 1
listd_heard() { jq -r '.params.list' <<<"$1"; }
check 'changes of other programs are passed to listd_heard' jobs "$(listd_listen 1 | head -1)"
listd_call applySnapshot '{"list":"jobs","items":["mine"]}' >/dev/null
check 'and other programs see changes of this one' mine "$("$LISTD" get jobs --text)"
listd_stop
check 'the daemon continues' mine "$("$LISTD" get jobs --text)"
unset -f listd_heard

# block NUMBER: prints the content of a fenced block of the README.
page=$shell/README.md
block() {
  awk -v wanted="$1" '/^```/ { if (!inside) number++; inside = !inside; next }
    inside && number == wanted' "$page"
}
for example in 1 3; do
  check "example $example of the README" "$(block $((example + 1)))" \
    "$(block "$example" | sed "s|\.build/release/listd|$LISTD|" | (cd "$root" && bash))"
done

closing
