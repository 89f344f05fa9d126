/**
 * Describes steps that have no row in a table: which threads are created and joined, and steps on a thread's own
 * data.
 */
import { listText } from '../../util/list-text.ts';
import { plural } from '../text.ts';
import type { EventReport } from '../trace-schema.ts';

/** More threads than this are counted, not named. */
const MAX_NAMED = 4;
/** Fewer steps on a thread's own data are not worth mentioning. */
const MIN_OWN = 4;

/** `thread 0 joins threads 0.1 and 0.2`; empty if there is nothing to say. */
export function leftOutText(events: readonly EventReport[]): string {
  const own = events.filter(({ kind }) => kind !== 'update' && kind !== 'internal');
  return [...new Set(own.map(({ thread }) => thread))]
    .map((thread) => {
      const steps = own.filter((event) => event.thread === thread);
      const [created, joined] = [othersOf(steps, 'spawn'), othersOf(steps, 'join')];
      const rest = steps.length - created.length - joined.length;
      const deeds = [
        ...(created.length === 0 ? [] : [`creates ${threadsText(created)}`]),
        ...(joined.length === 0 ? [] : [`joins ${threadsText(joined)}`]),
        ...(rest < MIN_OWN ? [] : [`takes ${plural(rest, 'step')} on its own data`]),
      ];
      return deeds.length === 0 ? '' : `thread ${thread} ${listText(deeds)}`;
    })
    .filter((text) => text !== '')
    .join('; ');
}

function othersOf(steps: readonly EventReport[], kind: string): readonly string[] {
  return steps.flatMap((step) => (step.kind === kind && step.other !== undefined ? [step.other] : []));
}

function threadsText(threads: readonly string[]): string {
  if (threads.length > MAX_NAMED) return plural(threads.length, 'thread');
  return `${threads.length === 1 ? 'thread' : 'threads'} ${listText(threads)}`;
}
