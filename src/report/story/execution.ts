/** One execution, event by event, with the store buffers after each, replayed on a separate machine. */
import { explore } from '../../explore/explore.ts';
import { Replay } from '../../explore/replay.ts';
import { parseSchedule } from '../../explore/schedule.ts';
import type { Follower } from '../../explore/strategy.ts';
import { Waker } from '../../explore/wake.ts';
import { programError } from '../../machine/describe/program-error.ts';
import * as ev from '../../machine/events/event.ts';
import type { Machine } from '../../machine/machine.ts';
import type { SourceLines } from '../source-lines.ts';
import type { TraceReport } from '../trace-schema.ts';
import { Story } from './story.ts';

/** Replays a printed schedule; the machine is left at its end. */
export function traceExecution(
  machine: Machine,
  schedule: string,
  source?: SourceLines,
  asWritten?: Machine,
): TraceReport {
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
  // Found by a search that wakes threads waiting in loops.
  if (!told.isWhole && machine.options.spin === true) told = tell([new Waker(machine)]);
  const isSame = asWritten !== undefined && runsAlike(machine, asWritten, schedule);
  return told.story.finish(schedule, isSame ? asWritten : undefined);
}

/** Runs the same schedule on the program as written; whether it has the same events and ends in the same way. */
export function runsAlike(machine: Machine, asWritten: Machine, schedule: string): boolean {
  asWritten.rollback(0);
  explore(asWritten, new Replay(parseSchedule(asWritten, schedule)));
  const [a, b] = [programError(machine), programError(asWritten)];
  if (asWritten.depth !== machine.depth || a?.message !== b?.message || a?.line !== b?.line) return false;
  for (let event = 0; event < machine.depth; event++) {
    // Of whatever kind the events are, the last two are the words of the value that they read, stored or chose.
    for (const field of [ev.E_KIND, ev.E_THREAD, ev.E_ADDRESS, ev.E_READ_LOW, ev.E_READ_HIGH])
      if (machine.events.get(event, field) !== asWritten.events.get(event, field)) return false;
  }
  return true;
}
