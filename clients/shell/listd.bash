# Functions that communicate with listd, for bash 4.2 and newer, with jq. Source this file.
#
#   listd_start [ARGUMENT…]         starts the daemon
#   listd_call METHOD [PARAMS]      prints a result; PARAMS is JSON, or - for standard input
#   listd_notify METHOD [PARAMS]    sends a notification
#   listd_listen SECONDS            receives notifications for this time
#   listd_stop                      lets the daemon finish, and waits for its end
#
# listd_call may be used in $(…) and in pipelines. It returns 0, or prints an error on standard error and returns
# 1 for an error reply (which it prints), 2 if the daemon has ended, and 3 if there is no reply within
# LISTD_TIMEOUT seconds (30), which cancels the request.
#
# The daemon is the program that LISTD names, or the one that was installed with this file, or listd on PATH, or
# the newest build of this repository.
# LISTD_LOG names a file for all messages, in the form of `listd --record`.
# A function listd_heard, if it exists, is called with each notification.

# Other shells must not read the rest of the file, because their syntax errors would be confusing.
case ${BASH_VERSION-} in
  '' | [0-3].* | 4.[01].*)
    echo 'listd.bash needs bash 4.2 or newer: begin the script with #!/usr/bin/env bash' >&2
    return 2
    ;;
esac

listd_repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)

listd_find() {
  local built found=
  # PREFIX/share/listd/shell, and PREFIX/bin
  if [[ -z ${LISTD-} && $listd_repository == */share && -x ${listd_repository%share}bin/listd ]]; then
    printf '%s\n' "${listd_repository%share}bin/listd"
    return 0
  fi
  command -v -- "${LISTD:-listd}" && return 0
  if [[ -n ${LISTD-} ]]; then
    printf 'LISTD=%s is not an executable program\n' "$LISTD" >&2
    return 2
  fi
  for built in "$listd_repository"/.build/{release,debug}/listd; do
    [[ -x $built && (-z $found || $built -nt $found) ]] && found=$built
  done
  [[ -n $found ]] && printf '%s\n' "$found" && return 0
  echo 'there is no listd: set LISTD to its path, or put it on PATH' >&2
  return 2
}

listd_start() {
  local program
  if ! command -v jq >/dev/null; then
    echo 'listd.bash needs jq: https://jqlang.org' >&2
    return 2
  fi
  program=$(listd_find) || return $?
  # Ctrl-C is for the script, which may have to send more requests to its daemon.
  coproc LISTD_PROCESS { trap '' INT && exec "$program" "$@"; }
  listd_pid=$LISTD_PROCESS_PID listd_began=$SECONDS
  # The descriptors of a coprocess are closed in $(…), but copies of them are not.
  exec {listd_out}<&"${LISTD_PROCESS[0]}" {listd_in}>&"${LISTD_PROCESS[1]}"
  eval "exec ${LISTD_PROCESS[0]}<&- ${LISTD_PROCESS[1]}>&-"
  if ! listd_call initialize "{\"processId\":$$,\"capabilities\":{}}" >/dev/null; then
    listd_stop
    return 2
  fi
  listd_notify initialized
}

listd_call() {
  local method=$1 params=${2-} id=$BASHPID.$RANDOM.$RANDOM line reply status=0
  [[ $params == - ]] && params=$(cat)
  _listd_send "\"id\":\"$id\",\"method\":\"$method\",\"params\":${params:-null}" || return $?
  while line=$(_listd_read "${LISTD_TIMEOUT:-30}") || { status=$? && false; }; do
    reply=$(jq -c --arg id "$id" '
      if .method then "heard"
      elif .id == $id or .id == null then (if has("error") then "error" else "result" end),
        .error // .result
      else "another" end' <<<"$line") || return 2
    case $reply in
      '"result"'*) printf '%s\n' "${reply#*$'\n'}" && return 0 ;;
      '"error"'*) printf '%s\n' "${reply#*$'\n'}" >&2 && return 1 ;;
      '"heard"') _listd_hear "$line" ;;
    esac
  done
  if ((status == 3)); then
    listd_notify '$/cancelRequest' "{\"id\":\"$id\"}" || return $?
    printf 'listd: no reply to %s in time\n' "$method" >&2
  else
    printf 'listd: the daemon ended before it replied to %s\n' "$method" >&2
  fi
  return $status
}

listd_notify() {
  _listd_send "\"method\":\"$1\",\"params\":${2:-null}"
}

listd_listen() {
  local line until=$((SECONDS + $1)) status
  while ((SECONDS < until)); do
    status=0
    line=$(_listd_read $((until - SECONDS))) || status=$?
    case $status in
      0) _listd_hear "$line" ;;
      2) return 2 ;;
    esac
  done
}

# In a trap a bare `return` would return the script's exit code. If both the script and the daemon failed, the
# script's exit code is returned: `trap listd_stop EXIT` preserves it.
listd_stop() {
  local before=$? status=0
  if listd_call shutdown >/dev/null 2>&1; then
    listd_notify exit
  else
    kill "$listd_pid" 2>/dev/null || true
  fi
  exec {listd_in}>&- {listd_out}<&-
  wait "$listd_pid" || status=$?
  ((status == 0 || before == 0)) || status=$before
  return $status
}

# _listd_send MEMBERS: sends a message, in a subshell, which a closed pipe ends instead of this
# shell.
_listd_send() {
  local message="{\"jsonrpc\":\"2.0\",${1//[$'\r\n']/ }}"
  _listd_log client "$message"
  (printf '%s\n' "$message" >&"$listd_in") 2>/dev/null && return 0
  echo 'listd: the daemon has ended' >&2
  return 2
}

# _listd_read SECONDS: prints the next message; returns 2 at the end and 3 after the time limit.
_listd_read() {
  local line status
  IFS= read -r -t "$1" -u "$listd_out" line
  status=$?
  ((status == 0)) || return $((status > 128 ? 3 : 2))
  _listd_log server "$line"
  printf '%s\n' "$line"
}

_listd_hear() {
  ! declare -F listd_heard >/dev/null || listd_heard "$1"
}

_listd_log() {
  [[ -z ${LISTD_LOG-} ]] || printf '{"at":%d,"from":"%s","message":%s}\n' \
    $(((SECONDS - listd_began) * 1000)) "$1" "$2" >>"$LISTD_LOG"
}
