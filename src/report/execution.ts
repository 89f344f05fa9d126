/** One execution, event by event, with the store buffers after each: replayed on a machine of its own. */
import { explore } from '../explore/explore.ts';
import { Replay } from '../explore/replay.ts';
import { parseSchedule } from '../explore/schedule.ts';
import { describeBuffers, describeEvent } from '../machine/describe.ts';
import type { Machine } from '../machine/machine.ts';
import type { EventReport, TraceReport } from './schema.ts';
import { alignColumns } from './text.ts';

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
            ...(source === undefined ? {} : { file: source.file, line: source.line, column: source.column }),
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
  const digits = String(trace.events.length).length;
  const rows = trace.events.map(({ thread, kind, text, effect, buffers }, i) => [
    String(i + 1).padStart(digits),
    thread,
    kind === 'update' ? '(commit)' : (text ?? kind),
    effect,
    buffers === '' ? '' : `[${buffers}]`,
  ]);
  return alignColumns(rows);
}
