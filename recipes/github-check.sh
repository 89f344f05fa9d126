#!/usr/bin/env bash
# The step of action.yml that checks: annotations in the log, a SARIF file, and the exit code as an output.
# FILES, ARGS: words separated by blanks or line ends. SARIF: a file, or empty.
set -uo pipefail
read -r -d '' -a files <<< "${FILES:?no files are given}"
read -r -d '' -a args <<< "${ARGS-}"
here="$(dirname "$0")"
fencepost="${FENCEPOST:-$here/../dist/cli/main.js}"
report="$(mktemp)"
trap 'rm -f "$report"' EXIT
# One search; what is printed and uploaded is made of its report.
node "$fencepost" check "${files[@]}" "${args[@]}" --no-out --json > "$report"
exit=$?
# Empty if the arguments were wrong, which was said already.
if [[ -s "$report" ]]; then
  node "$here/format.mjs" "$report" text github
  if [[ -n "${SARIF-}" ]]; then node "$here/format.mjs" "$report" sarif > "$SARIF"; fi
fi
echo "exit=$exit" >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$exit"
