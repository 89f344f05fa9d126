/** What `fencepost monitor` says: the violations that a recorded execution shows. */
import type { MonitorReport } from '../schema.ts';
import { plural, printable } from '../text.ts';

export function printMonitored({ file, events, bounds, violations }: MonitorReport): string {
  const head = `${printable(file)}: ${plural(events, 'event')}`;
  if (violations.length === 0) {
    return `${head}: inconclusive: no violation, but other executions were not looked at (${bounds.join('; ')})`;
  }
  return [
    `${head}: not robust: ${plural(violations.length, 'distinct violation')}`,
    ...violations.map((violation, i) => printViolation(i + 1, violation)),
    // Beyond that it was one execution: why the log was not looked at to its end.
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
    `     can come before the store of ${place(write, writeNumber)} in thread ${writer} reaches memory` +
      (count === 1 ? '' : `; seen ${plural(count, 'time')}`),
  ].join('\n');
}
