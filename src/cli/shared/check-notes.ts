/** What is said on standard error while a check runs: errors found early, and searches whose end is not in sight. */
import type { EarlyError } from '../../pipelines/first-looks.ts';
import type { NoEnd } from '../../pipelines/outlook.ts';
import { printError } from '../../program/error-text.ts';
import { groupThousands, plural, printable } from '../../report/text.ts';

export function noteEarly({ model, found }: EarlyError, searching: string | undefined): string {
  const rest = searching === undefined ? '' : `; ${searching} is still being searched`;
  return `fencepost: note: ${model} fails: ${printable(printError(found.error))}${rest}; Ctrl-C ends the search and shows how\n`;
}

export function noteNoEnd({ model, executions, seconds, inAll, left }: NoEnd): string {
  const sofar = `${plural(executions, 'execution')} in ${durationText(seconds)}`;
  const outlook =
    inAll === undefined || left === undefined
      ? 'and no estimate of how many there are'
      : `of about ${countText(inAll)}, which would take ${durationText(left)} more`;
  return (
    `fencepost: note: the end of the search under ${model} is not in sight: ${sofar}, ${outlook}. ` +
    'Set a bound (--timeout 60), or make the program smaller: docs/inconclusive.md. Ctrl-C shows what was found\n'
  );
}

function countText(count: number): string {
  if (count >= 1e12) return `10^${Math.round(Math.log10(count))}`;
  return groupThousands(Math.round(Number(count.toPrecision(2))));
}

const UNITS = [
  ['year', 365 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 minutes`. */
function durationText(seconds: number): string {
  for (const [unit, size] of UNITS) {
    if (seconds < 2 * size) continue;
    return `${countText(seconds / size)} ${unit}s`;
  }
  return plural(Math.round(seconds), 'second');
}
