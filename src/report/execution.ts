/** One execution, event by event, with the store buffers after each: replayed on a machine of its own. */
import { explore } from '../explore/explore.ts';
import { Replay } from '../explore/replay.ts';
import { parseSchedule } from '../explore/schedule.ts';
import { describeBuffers, describeEvent } from '../machine/describe.ts';
import type { Machine } from '../machine/machine.ts';
import type { EventReport, TraceReport } from './schema.ts';
import { pad } from './text.ts';

/** Replays a printed schedule; the machine is left at its end. */
export function traceExecution(machine: Machine, schedule: string): TraceReport {
  machine.rollback(0);
  const events: EventReport[] = [];
  explore(machine, new Replay(parseSchedule(machine, schedule)), {
    followers: [
      {
        observe(event) {
          const { name, thread, kind, effect, source } = describeEvent(machine, event);
          events.push({
            event: name,
            thread,
            kind,
            effect,
            ...(source === undefined ? {} : { file: source.file, line: source.line }),
            ...(source?.text === undefined ? {} : { text: source.text }),
            buffers: describeBuffers(machine),
          });
        },
        rollback() {},
      },
    ],
  });
  return { schedule, events, output: machine.printer.output.map((o) => o.text).join('') };
}

/** The rows of a trace, aligned; what the instruction is, what it did, what waits afterwards. */
export function printTrace(trace: TraceReport): string[] {
  const rows = trace.events.map(({ thread, kind, text, effect, buffers }) => [
    thread,
    kind === 'update' ? '(commit)' : (text ?? kind),
    effect,
    buffers === '' ? '' : `[${buffers}]`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => [...row[column]!].length)));
  const digits = String(rows.length).length;
  return rows.map((row, i) => {
    const cells = row.map((cell, column) => pad(cell, widths[column] ?? 0));
    return `${String(i + 1).padStart(digits)}  ${cells.join('  ')}`.trimEnd();
  });
}
