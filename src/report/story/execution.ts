/** One execution, event by event, with the store buffers after each, replayed on a separate machine. */
import { explore } from '../../explore/explore.ts';
import { Replay } from '../../explore/replay.ts';
import { parseSchedule } from '../../explore/schedule.ts';
import type { Follower } from '../../explore/strategy.ts';
import { Waker } from '../../explore/wake.ts';
import type { Machine } from '../../machine/machine.ts';
import type { SourceLines } from '../source-lines.ts';
import type { TraceReport } from '../trace-schema.ts';
import { Story } from './story.ts';

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
  // Found by a search that wakes threads that wait in a loop.
  if (!told.isWhole && machine.options.spin === true) told = tell([new Waker(machine)]);
  return told.story.finish(schedule);
}
