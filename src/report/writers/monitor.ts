/** The text output of `fencepost monitor`: the violations that a recorded execution shows. */
import type { MonitorReport } from '../schema.ts';
import { plural, printable } from '../text.ts';

export function printMonitored({ file, events, bounds, violations }: MonitorReport): string {
  const head = `${printable(file)}: ${plural(events, 'event')}`;
  if (violations.length === 0) {
    return `${head}: inconclusive: no violation in this execution; others were not examined (${bounds.join('; ')})`;
  }
  return [
    `${head}: not robust: ${plural(violations.length, 'distinct violation')}`,
    ...violations.map((violation, i) => printViolation(i + 1, violation)),
    // The first bound is that this is one execution; the others say why the log was not read to its end.
    ...bounds.slice(1).map((bound) => `  ${bound}`),
  ].join('\n');
}

function printViolation(number: number, violation: MonitorReport['violations'][number]): string {
  const { monitor, model, thread, writer, event, write, variable, eventNumber, writeNumber, count } = violation;
  const place = (site: string | undefined, n: number): string =>
    `event ${n}${site === undefined ? '' : ` at ${printable(site)}`}`;
  return [
    `  ${number}. under ${model} (${monitor}): ${variable === undefined ? '' : `access of ${printable(variable)}, `}` +
      `${place(event, eventNumber)} in thread ${thread}`,
    `     can take effect before the store of ${place(write, writeNumber)} in thread ${writer} reaches memory` +
      (count === 1 ? '' : `; seen ${plural(count, 'time')}`),
  ].join('\n');
}
