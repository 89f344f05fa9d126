#!/usr/bin/env bash
# The check step of action.yml: annotations in the log, a SARIF file, and as outputs the exit code and that file.
# FILES, ARGS: words separated by blanks or line ends; quotes keep blanks. SARIF: a file, or empty.
# Also works with macOS's bash 3.2.
set -uo pipefail
here="$(dirname "$0")"
files=() args=()
while IFS= read -r -d '' word; do files+=("$word"); done < <(node "$here/words.mjs" "${FILES-}")
while IFS= read -r -d '' word; do args+=("$word"); done < <(node "$here/words.mjs" "${ARGS-}")
output() { echo "$1" >> "${GITHUB_OUTPUT:-/dev/null}"; }
if [[ ${#files[@]} -eq 0 ]]; then
  echo "::error::Fencepost: no files are given"
  output exit=2
  exit 2
fi
fencepost="${FENCEPOST:-$here/../dist/cli/main.js}"
report="$(mktemp)"
trap 'rm -f "$report"' EXIT
# One search; what is printed and uploaded is made from its report.
node "$fencepost" check ${args[@]+"${args[@]}"} --no-out --json "${files[@]}" > "$report"
exit=$?
# Empty if the arguments were wrong, which was already reported.
if [[ -s "$report" ]]; then
  node "$here/format.mjs" "$report" text github
  if [[ -n "${SARIF-}" ]]; then
    mkdir -p "$(dirname "$SARIF")" && node "$here/format.mjs" "$report" sarif > "$SARIF" && output "sarif=$SARIF"
  fi
fi
output "exit=$exit"
exit "$exit"
