#!/usr/bin/env bash
# The step of action.yml that checks: annotations in the log, a SARIF file, and the exit code as an output.
# FILES, ARGS: words separated by blanks. SARIF: a file, or empty.
set -uo pipefail
read -r -a files <<< "${FILES:?no files are given}"
read -r -a args <<< "${ARGS-}"
fencepost="${FENCEPOST:-$(dirname "$0")/../dist/cli/main.js}"
node "$fencepost" check "${files[@]}" "${args[@]}" --no-out --reporter github
exit=$?
if [[ -n "${SARIF-}" ]]; then
  # The program is compiled already; the search is repeated.
  node "$fencepost" check "${files[@]}" "${args[@]}" --no-out --sarif > "$SARIF"
fi
echo "exit=$exit" >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$exit"
