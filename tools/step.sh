#!/usr/bin/env bash
# Runs a long command behind one line: tools/step.sh "Building the page" npm run build
# On a terminal the line counts the seconds; what the command says is shown only if it fails.
set -u
words=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
"$@" >"$log" 2>&1 &
pid=$!
if [ -t 1 ]; then
  while kill -0 "$pid" 2>/dev/null; do
    printf '\r%s … %d s' "$words" "$SECONDS"
    sleep 1
  done
else
  printf '%s …' "$words"
fi
wait "$pid"
code=$?
if [ "$code" = 0 ]; then
  [ -t 1 ] && printf '\r%s … %d s\n' "$words" "$SECONDS" || printf ' %d s\n' "$SECONDS"
else
  printf '\n'
  cat "$log" >&2
fi
exit "$code"
