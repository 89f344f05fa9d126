/** Whether a thread that sleeps in a loop is waiting for others, or would leave the loop on its own. */
import { IntVector } from '../util/int-vector.ts';
import type { Machine } from './machine.ts';
import { MOST_UNDONE } from './run/undone-rounds.ts';
import { hasStopped } from './state/fault.ts';
import { BOUND_BLOCKED, SPINNING, T_STATUS } from './state/layout.ts';
import { stepOf } from './state/process.ts';
import { MAX_IDLE_STEPS } from './take-idle-reads.ts';

/**
 * Whether a thread that sleeps in a loop, run alone from here with its own stores committed, would ever do more than
 * read: write, wait elsewhere, end or fail. Reads before it sleeps again do not count: a thread that comes back to
 * sleep has at most left an inner loop; nor does what it has undone by then. The state is unchanged afterwards. `look`
 * is called before that, with the number of the first event of this run.
 */
export function wouldLeave(machine: Machine, thread: number, look?: (from: number) => void): boolean {
  if (machine.threads.get(thread, T_STATUS) !== SPINNING) throw new Error('this thread does not spin');
  if (machine.isHeldBack(thread)) return false;
  const { state, threads } = machine;
  const { words } = state;
  const depth = machine.depth;
  const mark = state.mark;
  const at = threads.at(thread);
  // Waking counts as one.
  const changes = machine.progress.lastingChangesOf(thread) + 1;
  const commits = new IntVector();
  for (machine.memory.commits(thread, commits); commits.length > 0; machine.memory.commits(thread, commits)) {
    machine.step(commits.get(0));
    commits.clear();
    if (hasStopped(state)) break;
  }
  machine.printer.depth = depth + 1;
  if (!hasStopped(state)) machine.wake(thread);
  let leaves = hasStopped(state);
  // A change may be undone before the thread sleeps again.
  for (let steps = 0; !leaves && words[at + T_STATUS] !== SPINNING; steps++) {
    const continues = goesOn(machine, thread);
    // Of more changes than one round may undo, some last.
    const more = machine.progress.lastingSince(thread, changes);
    leaves = !continues || hasStopped(state) || steps > MAX_IDLE_STEPS || more > MOST_UNDONE;
  }
  leaves ||= machine.progress.lastingChangesOf(thread) !== changes;
  look?.(depth);
  machine.rollback(depth);
  state.rewind(mark);
  machine.printer.rollback(depth);
  return leaves;
}

/** Takes a step of the thread, or lets it pass a loop bound; false if it can do neither. */
function goesOn(machine: Machine, thread: number): boolean {
  const { threads } = machine;
  const { words } = machine.state;
  const at = threads.at(thread);
  if (words[at + T_STATUS] === BOUND_BLOCKED) {
    machine.passBound(thread);
    return true;
  }
  if (!machine.isReady(thread)) return false;
  machine.step(stepOf(thread));
  return true;
}
