/** The text output of `fencepost monitor`: the violations in a recorded execution. */
import { MODELS } from '../../models/index.ts';
import { distinct } from '../distinct-violations.ts';
import type { LoggedEventReport, MonitorReport, WitnessReport } from '../schema.ts';
import { alignColumns, groupThousands, plural, printable } from '../text.ts';
import { relationsText } from './relations.ts';

type Violation = MonitorReport['violations'][number];

export function printMonitored({ file, events, bounds, violations, monitors }: MonitorReport): string {
  const head = `${printable(file)}: ${plural(events, 'event')}`;
  if (violations.length === 0) {
    return `${head}: inconclusive: no violation in this execution; others were not examined (${bounds.join('; ')})`;
  }
  const pairs = distinct(violations);
  const relations = pairs.flatMap((same) => (shownOf(same).witness?.cycle ?? []).map(({ relation }) => relation));
  return [
    `${head}: not robust: ${plural(pairs.length, 'distinct violation')}`,
    ...(monitors.length > 1 ? printTable(monitors, pairs) : []),
    ...pairs.map((same, i) => printViolation(i + 1, same)),
    ...relationsText(relations),
    // The first bound says that this is one execution; the others say why the log was not read to its end.
    ...bounds.slice(1).map((bound) => `  ${bound}`),
  ].join('\n');
}

/** A column per monitor, and a row per pair with how often it was seen. */
function printTable(monitors: readonly string[], pairs: readonly (readonly Violation[])[]): string[] {
  const name = (site: string | undefined, n: number): string => (site === undefined ? `event ${n}` : printable(site));
  const rows = pairs.map((same, i) => {
    const { event, write, eventNumber, writeNumber } = shownOf(same);
    const counts = monitors.map((monitor) => same.find((v) => v.monitor === monitor)?.count);
    return [
      `${i + 1}. ${name(event, eventNumber)} before ${name(write, writeNumber)}`,
      ...counts.map((count) => (count === undefined ? '–' : groupThousands(count))),
    ];
  });
  return ['', ...alignColumns([['times seen', ...monitors], ...rows]).map((line) => `  ${line}`), ''];
}

/**
 * The violation to show: preferably one with a witness, and then one under a stronger model, since weaker ones allow its
 * executions too.
 */
function shownOf(same: readonly Violation[]): Violation {
  const shown = same.filter(({ witness }) => witness !== undefined);
  const from = shown.length > 0 ? shown : same;
  const rank = ({ model }: Violation): number => MODELS.findIndex(({ name }) => name === model);
  return from.toSorted((a, b) => rank(a) - rank(b))[0]!;
}

function printViolation(number: number, same: readonly Violation[]): string {
  const { model, thread, writer, event, write, variable, eventNumber, writeNumber, count, witness, noWitness } =
    shownOf(same);
  const place = (site: string | undefined, n: number): string =>
    `event ${n}${site === undefined ? '' : ` at ${printable(site)}`}`;
  const under = [...new Set(same.map((v) => v.model))].join(' and ');
  const by = same.map(({ monitor }) => monitor).join(', ');
  return [
    `  ${number}. under ${under} (${by}): ${variable === undefined ? '' : `access of ${printable(variable)}, `}` +
      `${place(event, eventNumber)} in thread ${thread}`,
    `     can take effect before the store of ${place(write, writeNumber)} in thread ${writer} reaches memory` +
      (count === 1 || same.length > 1 ? '' : `; seen ${plural(count, 'time')}`),
    ...(witness === undefined ? [] : printWitness(witness, model)),
    ...(noWitness === undefined ? [] : [`     no cycle and no execution shown: ${noWitness}`]),
  ].join('\n');
}

/** How many rows of a long execution are shown at its beginning and at its end. */
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
    `     ${model} therefore allows this continuation from event ${cycle[1]!.number}:`,
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
