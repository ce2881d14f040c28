# shellcheck shell=bash
# Steps that are timed and counted, for .ci/run and .ci/interop.

passed=0
failed=0
skipped=0

# Runs a command under a name: step NAME COMMAND…
step() {
  local name=$1 began=$SECONDS result=ok
  shift
  printf '\n== %s: %s\n' "$name" "$*"
  "$@" </dev/null || result=FAIL
  if [ "$result" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  printf '%-4s %s, %d s\n' "$result" "$name" $((SECONDS - began))
  took+=("$(printf '%5d s  %-4s %s' $((SECONDS - began)) "$result" "$name")")
}
took=()

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

# Prints how long each step took, and the counts in the last line; fails if anything has failed.
print_counts() {
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
