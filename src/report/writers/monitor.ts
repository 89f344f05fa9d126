/** The text output of `fencepost monitor`: the violations that a recorded execution shows. */
import type { LoggedEventReport, MonitorReport, WitnessReport } from '../schema.ts';
import { alignColumns, plural, printable } from '../text.ts';

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
  const { witness, noWitness } = violation;
  const place = (site: string | undefined, n: number): string =>
    `event ${n}${site === undefined ? '' : ` at ${printable(site)}`}`;
  return [
    `  ${number}. under ${model} (${monitor}): ${variable === undefined ? '' : `access of ${printable(variable)}, `}` +
      `${place(event, eventNumber)} in thread ${thread}`,
    `     can take effect before the store of ${place(write, writeNumber)} in thread ${writer} reaches memory` +
      (count === 1 ? '' : `; seen ${plural(count, 'time')}`),
    ...(witness === undefined ? [] : printWitness(witness, model)),
    ...(noWitness === undefined ? [] : [`     no cycle and no execution shown: ${noWitness}`]),
  ].join('\n');
}

/** Rows of an execution: so many from its beginning, and from its end. */
const FIRST = 10;
const LAST = 20;

function printWitness({ cycle, execution }: WitnessReport, model: string): string[] {
  const omitted = Math.max(0, execution.length - FIRST - LAST);
  const rows = execution.map((event) => [
    ...cells(event),
    `${printable(event.effect)}${event.step === 'at once' ? '' : event.step === 'buffered' ? ' (buffered)' : ' reaches memory'}`,
  ]);
  const lines = alignColumns(omitted === 0 ? rows : [...rows.slice(0, FIRST), ...rows.slice(-LAST)]);
  if (omitted > 0) lines.splice(FIRST, 0, `… ${plural(omitted, 'row')} omitted …`);
  return [
    '     each event happens before the next, and the last before the first:',
    '',
    ...indent(alignColumns(cycle.map((event) => [...cells(event), printable(event.effect), `→ ${event.relation}`]))),
    '',
    `     so under ${model} it can go on like this from event ${cycle[1]!.number} on:`,
    '',
    ...indent(lines),
    '',
  ];
}

function cells({ number, thread, place = '' }: LoggedEventReport): string[] {
  return [`event ${number}`, `thread ${thread}`, printable(place)];
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `       ${line}`);
}
