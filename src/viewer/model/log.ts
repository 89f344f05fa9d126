/** The findings of `monitor` in recorded executions, as tables. */
import type { MonitorReport } from '../../report/schema.ts';
import { plural } from '../../report/text.ts';

export interface LogTable {
  readonly file: string;
  readonly verdict: string;
  readonly headline: string;
  readonly monitors: string;
  readonly rows: readonly LogRow[];
}

export interface LogRow {
  readonly model: string;
  readonly monitor: string;
  readonly early: LoggedEvent;
  readonly late: LoggedEvent;
  readonly count: string;
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
        : `Not robust: ${plural(violations.length, 'distinct violation')} in ${seen}.`,
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
      }),
    ),
  };
}
