# The checks of the scripts in this folder: each calls `check` repeatedly, and `closing` at the end.

failed=0 checked=0

# check STORY WANTED GOT: compares two texts.
check() {
  checked=$((checked + 1))
  [[ $2 == "$3" ]] && return
  failed=$((failed + 1))
  printf 'not so: %s\n  wanted: %s\n  got:    %s\n' "$1" "$2" "$3" >&2
}

# closing: prints the number of checks, and ends the script.
closing() {
  local name=${0##*/}
  if ((failed)); then
    echo "$name: $failed of $checked checks failed"
    exit 1
  fi
  echo "$name: $checked checks passed"
  exit 0
}
