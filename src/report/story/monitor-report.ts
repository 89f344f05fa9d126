/** Builds the report of `monitor` from the violations in a log. */
import { type Bound, printBound } from '../../explore/bound.ts';
import type { LoggedViolation } from '../../monitor/log/stream.ts';
import type { MonitorReport } from '../schema.ts';

export function reportMonitored(
  file: string,
  monitors: readonly string[],
  count: number,
  violations: readonly LoggedViolation[],
  /** The log was not examined to its end. */
  isCut: boolean = false,
): MonitorReport {
  const boundedBy: readonly Bound[] = [
    { kind: 'one recorded execution' },
    ...(isCut ? [{ kind: 'log' as const, events: count }] : []),
  ];
  return {
    file,
    monitors,
    verdict: violations.length > 0 ? 'violation' : 'inconclusive',
    robust: violations.length > 0 ? false : null,
    events: count,
    bounds: boundedBy.map(printBound),
    boundedBy,
    violations: violations.map(shown),
  };
}

/** Without what only the log knows. */
function shown(violation: LoggedViolation): MonitorReport['violations'][number] {
  const { monitor, model, thread, writer, event, write, variable, eventNumber, writeNumber, count } = violation;
  return {
    monitor,
    model,
    thread,
    writer,
    eventNumber,
    writeNumber,
    count,
    ...(event === undefined ? {} : { event }),
    ...(write === undefined ? {} : { write }),
    ...(variable === undefined ? {} : { variable }),
  };
}
