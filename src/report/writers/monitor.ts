/** What `fencepost monitor` says: the violations that a recorded execution shows. */
import type { LoggedViolation } from '../../monitor/log/stream.ts';
import type { MonitorReport } from '../schema.ts';
import { plural, printable } from '../text.ts';

/** Why finding nothing in a log proves nothing. */
export const ONE_EXECUTION = 'one recorded execution';

/** `bound`: why the log was not looked at to its end, if it was not. */
export function printMonitored(
  file: string,
  count: number,
  violations: readonly LoggedViolation[],
  bound?: string,
): string {
  const head = `${printable(file)}: ${plural(count, 'event')}`;
  if (violations.length === 0) {
    return `${head}: inconclusive: no violation, but other executions were not looked at (${boundsOf(bound).join('; ')})`;
  }
  return [
    `${head}: not robust: ${plural(violations.length, 'distinct violation')}`,
    ...violations.map((violation, i) => printViolation(i + 1, violation)),
    ...(bound === undefined ? [] : [`  ${bound}`]),
  ].join('\n');
}

function boundsOf(bound: string | undefined): readonly string[] {
  return bound === undefined ? [ONE_EXECUTION] : [ONE_EXECUTION, bound];
}

function printViolation(number: number, violation: LoggedViolation): string {
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

export function reportMonitored(
  file: string,
  monitors: readonly string[],
  count: number,
  violations: readonly LoggedViolation[],
  bound?: string,
): MonitorReport {
  return {
    file,
    monitors,
    verdict: violations.length > 0 ? 'violation' : 'inconclusive',
    robust: violations.length > 0 ? false : null,
    events: count,
    bounds: boundsOf(bound),
    violations: violations.map(({ event, write, variable, ...rest }) => ({
      ...rest,
      ...(event === undefined ? {} : { event }),
      ...(write === undefined ? {} : { write }),
      ...(variable === undefined ? {} : { variable }),
    })),
  };
}
