# The parts of Tests/run that look for wrong uses of memory and of threads. Sourced by it.

# The tests of the modules with the address sanitizer, in a separate build: some minutes.
part_sanitize-tests() {
  need_swift
  # The test runner itself leaks a little.
  SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 timeout -k 10 1800 \
    swift test --sanitize=address --scratch-path .build-address "$@" </dev/null
}

# The daemon from outside, with the address and then with the thread sanitizer.
part_sanitize-addresses() {
  run_sanitized address "$@"
}

# The thread sanitizer cannot run if files must not grow.
part_sanitize-threads() {
  run_sanitized thread \
    --deselect Tests/faults/test_journal.py::test_a_full_disk \
    --deselect Tests/faults/test_journal.py::test_a_first_change_that_fails_leaves_nothing \
    --deselect Tests/faults/test_record.py::test_recording_anew_that_fails_loses_nothing \
    --deselect Tests/faults/test_record.py::test_a_record_without_room_ends_where_it_ends "$@"
}

run_sanitized() {
  local sanitizer=$1 reports=$TMPDIR/$1 result=0
  shift
  need_swift
  need_python
  need jq jq
  need nvim neovim
  timeout -k 10 1800 swift build -c release --sanitize="$sanitizer" \
    --scratch-path ".build-$sanitizer" --product listd
  export LISTD=$root/.build-$sanitizer/release/listd SWIFT_BACKTRACE=enable=no
  # Reports are written to files, because tests may discard the daemon's standard error.
  # The library writes the count 0 into the storage that all empty arrays share.
  echo 'race:_swiftEmptyArrayStorage' >"$TMPDIR/known"
  # The daemon ends without freeing its lists, and the sanitizer does not see all references to them.
  export ASAN_OPTIONS=log_path=$reports:detect_leaks=0
  export TSAN_OPTIONS=log_path=$reports:suppressions=$TMPDIR/known
  timeout -k 10 600 "$LISTD" replay Tests/Sessions/*.ndjson || result=1
  # The use of memory is not comparable here.
  for folder in Tests/conformance Tests/faults; do
    LISTD_PATIENCE=300 timeout -k 10 3000 .venv/bin/python -B -m pytest -q -p no:cacheprovider \
      --ignore Tests/faults/test_memory.py --ignore Tests/faults/test_memory_of_edits.py \
      --deselect Tests/faults/test_pipes.py::test_a_client_that_stops_reading_loses_nothing \
      --deselect Tests/faults/test_shared.py::test_a_stopped_reader_costs_what_may_wait_for_it \
      --deselect Tests/faults/test_shared.py::test_replies_wait_for_a_client_and_other_clients_do_not \
      "$folder" "$@" || result=1
  done
  if compgen -G "$reports*" >/dev/null; then
    cat "$reports"*
    return 1
  fi
  [[ $result == 0 ]] || return 1
  echo "the $sanitizer sanitizer has nothing to report"
}
