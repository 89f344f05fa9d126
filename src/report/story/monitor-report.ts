/** Builds the report of `monitor` from the violations in a log. */
import { type Bound, printBound } from '../../explore/bound.ts';
import type { LoggedViolation, Witness, WitnessEvent } from '../../monitor/log/violation.ts';
import type { LoggedEventReport, MonitorReport, WitnessReport } from '../schema.ts';

/** Names for the sites and addresses of a log. */
export interface LogNames {
  place(site: number): string | undefined;
  variable(address: number): string | undefined;
}

export function reportMonitored(
  file: string,
  monitors: readonly string[],
  count: number,
  violations: readonly LoggedViolation[],
  names: LogNames,
  /** Why the log was not examined to its end. */
  cut?: Bound,
): MonitorReport {
  const boundedBy: readonly Bound[] = [{ kind: 'one recorded execution' }, ...(cut === undefined ? [] : [cut])];
  return {
    file,
    monitors,
    verdict: violations.length > 0 ? 'violation' : 'inconclusive',
    robust: violations.length > 0 ? false : null,
    events: count,
    bounds: boundedBy.map(printBound),
    boundedBy,
    violations: violations.map((violation) => shown(violation, names)),
  };
}

/** The violation without the data that only the log uses. */
function shown(violation: LoggedViolation, names: LogNames): MonitorReport['violations'][number] {
  const { monitor, model, thread, writer, event, write, variable, eventNumber, writeNumber, count, witness } =
    violation;
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
    ...(witness === undefined
      ? {}
      : typeof witness === 'string'
        ? { noWitness: witness }
        : { witness: reportWitness(witness, names) }),
  };
}

function reportWitness({ cycle, execution }: Witness, names: LogNames): WitnessReport {
  return {
    cycle: cycle.map((event) => ({ ...reportEvent(event, names), relation: event.relation })),
    execution: execution.map((event) => ({ ...reportEvent(event, names), step: event.step })),
  };
}

function reportEvent({ number, thread, operation, site, address }: WitnessEvent, names: LogNames): LoggedEventReport {
  const place = names.place(site);
  const what = address === undefined ? '' : ` ${names.variable(address) ?? `0x${address.toString(16)}`}`;
  return { number, thread, effect: `${operation}${what}`, ...(place === undefined ? {} : { place }) };
}
