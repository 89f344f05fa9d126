/** One execution, event by event, with the store buffers after each: replayed on a machine of its own. */
import { explore } from '../../explore/explore.ts';
import { Replay } from '../../explore/replay.ts';
import { countSteps, parseSchedule } from '../../explore/schedule.ts';
import type { Follower } from '../../explore/strategy.ts';
import { Waker } from '../../explore/wake.ts';
import type { Machine } from '../../machine/machine.ts';
import type { SourceLines } from '../source-lines.ts';
import { alignColumns } from '../text.ts';
import type { TraceReport } from '../trace-schema.ts';
import { Story } from './story.ts';

/** Longer executions are not shown step by step: nobody reads that much, and a report of them may not fit into memory. */
const MAX_SHOWN_STEPS = 50_000;

/** Why the execution is not shown, if it is too long for that. */
export function tooLongToShow(schedule: string): string | undefined {
  const steps = countSteps(schedule);
  if (steps <= MAX_SHOWN_STEPS) return undefined;
  return `The execution has ${steps} steps, too many to show (more than ${MAX_SHOWN_STEPS}).`;
}

/** Replays a printed schedule; the machine is left at its end. */
export function traceExecution(machine: Machine, schedule: string, source?: SourceLines): TraceReport {
  const steps = parseSchedule(machine, schedule);
  const tell = (followers: readonly Follower[]): { story: Story; isWhole: boolean } => {
    machine.rollback(0);
    const story = new Story(machine, source);
    const replay = new Replay(steps);
    explore(machine, replay, {
      followers: [...followers, { observe: (event) => story.observe(event), rollback() {} }],
    });
    return { story, isWhole: replay.taken === replay.length };
  };
  let told = tell([]);
  // Found by a search that wakes those who wait in a loop.
  if (!told.isWhole && machine.options.spin === true) told = tell([new Waker(machine)]);
  return told.story.finish(schedule);
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
