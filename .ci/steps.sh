# shellcheck shell=bash
# Steps that are timed and counted, one after another or side by side, for .ci/run and .ci/interop.

passed=0
failed=0
skipped=0
took=()
failures=$(mktemp)

# Runs a command under a name: step NAME COMMAND…
step() {
  local name=$1 began=$SECONDS result=ok output out printer
  shift
  output=$(mktemp)
  printf '\n== %s: %s\n' "$name" "$*"
  # No pipe, whose parts run in other shells: a step may add to the counts.
  exec {out}> >(tee "$output")
  printer=$!
  "$@" </dev/null >&"$out" 2>&1 || result=FAIL
  exec {out}>&-
  wait "$printer"
  finish "$name" "$result" $((SECONDS - began)) "$output"
  rm -f "$output"
}

# Counts a step that has ended, and keeps what it printed of its failures: finish NAME ok|FAIL SECONDS OUTPUT
finish() {
  if [ "$2" != ok ]; then
    {
      printf '\n== failed: %s\n' "$1"
      grep -aE -A 12 'FAIL|not ok|[Ee]rror' "$4" | grep -avE '^(--)?$' | cut -c 1-300 | head -n 60
      printf -- '-- its last lines\n'
      tail -n 8 "$4" | cut -c 1-300
    } >>"$failures"
  fi
  if [ "$2" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  printf '%-4s %s, %d s\n' "$2" "$1" "$3"
  took+=("$(printf '%5d s  %-4s %s' "$3" "$2" "$1")")
}

# Starts a command under a name, beside what follows; `settle` waits for it: start NAME COMMAND…
start() { start_after '' "$@"; }

# Starts a command as `start` does, once the one that was queued before it has ended, with a little less processor time
# than the others get: with a tenth of theirs, dumps of threads exceed their own limits. queue NAME COMMAND…
queue() {
  start_after "$queued" "$1" nice -n 2 "${@:2}"
  queued=$latest
}
queued=''

# Starts a command once a file that is empty has content or is gone: start_after FILE NAME COMMAND…
start_after() {
  local before=$1 name=$2 output result
  shift 2
  output=$(mktemp) result=$(mktemp)
  latest=$result
  (
    while [ -e "$before" ] && [ ! -s "$before" ]; do sleep 1; done
    began=$SECONDS outcome=ok
    "$@" </dev/null >"$output" 2>&1 || outcome=FAIL
    echo "$outcome $((SECONDS - began))" >"$result"
  ) &
  started+=("$!|$name|$output|$result|$*")
}
started=()

# Waits for all commands that `start` has started, and prints what each has printed, one after another.
settle() {
  local row pid name output result command outcome seconds
  for row in "${started[@]}"; do
    IFS='|' read -r pid name output result command <<<"$row"
    wait "$pid"
    printf '\n== %s: %s\n' "$name" "$command"
    cat "$output"
    read -r outcome seconds <"$result"
    finish "$name" "${outcome:-FAIL}" "${seconds:-0}" "$output"
    rm -f "$output" "$result"
  done
  started=()
}

# Adds to the counts: add_counts PASSED FAILED SKIPPED
add_counts() {
  passed=$((passed + $1))
  failed=$((failed + $2))
  skipped=$((skipped + $3))
}

# Adds the tests of a report of vitest's; a report without any test is a failure.
count_tests() {
  local counts=() text
  text=$(node -p '
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(fs.readFileSync(0, "utf8"));
    [numPassedTests, numFailedTests, numPendingTests + numTodoTests].join(" ")' <"$1") || return 1
  read -r -a counts <<<"$text"
  printf '%d tests passed, %d failed, %d skipped\n' "${counts[@]}"
  add_counts "${counts[@]}"
  [ $((counts[0] + counts[1])) -gt 0 ]
}

# Adds what the last line of another script's output counts, which `print_counts` has printed.
count_lines() {
  local last
  last=$(tail -n 1 "$1")
  [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]] || return 1
  add_counts "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" "${BASH_REMATCH[4]:-0}"
  echo "$last"
}

# Prints what failed once more, how long each step took, and the counts in the last line; fails if anything has failed.
print_counts() {
  cat "$failures"
  rm -f "$failures"
  printf '\n'
  printf '%s\n' "${took[@]}"
  printf '%5d s  all\n\n' "$SECONDS"
  if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
  else
    echo "$passed passed, $failed failed"
  fi
  [ "$failed" -eq 0 ]
}
