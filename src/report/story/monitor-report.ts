/** From what monitors saw in a log to its report. */
import type { LoggedViolation } from '../../monitor/log/stream.ts';
import type { MonitorReport } from '../schema.ts';

/** Why finding nothing in a log proves nothing. */
const ONE_EXECUTION = 'one recorded execution';

export function reportMonitored(
  file: string,
  monitors: readonly string[],
  count: number,
  violations: readonly LoggedViolation[],
  /** Why the log was not read to its end, if it was not. */
  bound?: string,
): MonitorReport {
  return {
    file,
    monitors,
    verdict: violations.length > 0 ? 'violation' : 'inconclusive',
    robust: violations.length > 0 ? false : null,
    events: count,
    bounds: bound === undefined ? [ONE_EXECUTION] : [ONE_EXECUTION, bound],
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
