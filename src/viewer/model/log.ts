/** The findings of `monitor` in recorded executions, as tables. */
import { distinct } from '../../report/distinct-violations.ts';
import type { LoggedEventReport, MonitorReport } from '../../report/schema.ts';
import { plural } from '../../report/text.ts';

export interface LogTable {
  readonly file: string;
  readonly verdict: string;
  readonly headline: string;
  readonly monitors: string;
  readonly rows: readonly LogRow[];
}

interface LogRow {
  readonly model: string;
  readonly monitor: string;
  readonly early: LoggedEvent;
  readonly late: LoggedEvent;
  readonly count: string;
  /** The witness, or why there is none. */
  readonly witness?: LogWitness;
}

export interface LogWitness {
  readonly title: string;
  readonly parts: readonly { readonly heading: string; readonly events: readonly string[] }[];
}

export interface LoggedEvent {
  readonly variable: string;
  readonly place: string;
  readonly detail: string;
}

export function logTable({ file, verdict, events, violations, monitors }: MonitorReport): LogTable {
  const seen = plural(events, 'event');
  return {
    file: file === '-' ? 'standard input' : file,
    verdict,
    headline:
      violations.length === 0
        ? `Inconclusive: no violation in ${seen}. One recorded execution proves nothing.`
        : `Not robust: ${plural(distinct(violations).length, 'distinct violation')} in ${seen}.`,
    monitors: monitors.join(', '),
    rows: violations.map(
      (v): LogRow => ({
        model: v.model,
        monitor: v.monitor,
        early: {
          variable: v.variable ?? '',
          place: v.event ?? 'an unknown location',
          detail: `thread ${v.thread}, event ${v.eventNumber}`,
        },
        late: {
          variable: '',
          place: v.write ?? 'an unknown location',
          detail: `thread ${v.writer}, event ${v.writeNumber}`,
        },
        count: plural(v.count, 'time'),
        ...witnessOf(v),
      }),
    ),
  };
}

function witnessOf({ model, event, write, witness, noWitness }: MonitorReport['violations'][number]): {
  readonly witness?: LogWitness;
} {
  const pair = `${event ?? 'the access'} before ${write ?? 'the store'}, under ${model.toUpperCase()}`;
  if (noWitness !== undefined) return { witness: { title: `${pair}: nothing shown, ${noWitness}`, parts: [] } };
  if (witness === undefined) return {};
  const { cycle, execution } = witness;
  const steps = { 'at once': '', buffered: ' (buffered)', 'reaches memory': ' reaches memory' } as const;
  return {
    witness: {
      title: `${pair}: the cycle, and an execution`,
      parts: [
        {
          heading: 'Each event happens before the next, and the last before the first:',
          events: cycle.map((e) => `${describe(e)} → ${e.relation}`),
        },
        {
          heading: `${model.toUpperCase()} therefore allows this continuation from event ${cycle[1]?.number}:`,
          events: execution.map((e) => `${describe(e)}${steps[e.step]}`),
        },
      ],
    },
  };
}

function describe({ number, thread, effect, place }: LoggedEventReport): string {
  return `event ${number}, thread ${thread}: ${place === undefined ? '' : `${place}  `}${effect}`;
}
