/** One execution, event by event, with the store buffers after each, replayed on a separate machine. */
import { type ExploreOptions, explore, type FoundError } from '../../explore/explore.ts';
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

/** An execution on which the machine still is, at its end. */
export interface Told {
  readonly machine: Machine;
  readonly story: Story;
  readonly errors: readonly FoundError[];
}

/** Replays an execution on the machine, from its start, and records its story. */
export function tell(machine: Machine, replay: Replay, source?: SourceLines, options: ExploreOptions = {}): Told {
  machine.rollback(0);
  const story = new Story(machine, source);
  const teller: Follower = { observe: (event) => story.observe(event), rollback() {} };
  const { errors } = explore(machine, replay, { ...options, followers: [...(options.followers ?? []), teller] });
  return { machine, story, errors };
}

/** The same for a printed schedule. */
export function tellSchedule(machine: Machine, schedule: string, source?: SourceLines): Told {
  const steps = parseSchedule(machine, schedule);
  const replay = new Replay(steps);
  const told = tell(machine, replay, source);
  if (replay.taken === replay.length || machine.options.spin !== true) return told;
  // Found by a search that wakes threads waiting in loops.
  return tell(machine, new Replay(steps), source, { followers: [new Waker(machine)] });
}

/** Can be called once. `asWritten`: a machine of the unsimplified program. */
export function finish({ machine, story }: Told, schedule: string, asWritten?: Machine): TraceReport {
  const isSame = asWritten !== undefined && runsAlike(machine, asWritten, schedule);
  return story.finish(schedule, isSame ? asWritten : undefined);
}

/** Replays a printed schedule; the machine is left at its end. */
export function traceExecution(machine: Machine, schedule: string, source?: SourceLines): TraceReport {
  return finish(tellSchedule(machine, schedule, source), schedule);
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
