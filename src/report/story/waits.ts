/** Describes a deadlock once: which thread waits for which. */
import { listText } from '../../util/list-text.ts';
import type { ErrorReport } from '../schema.ts';
import type { EndReport } from '../trace-schema.ts';

/** Which thread waits for which, if threads wait for each other; the end of the story says what for. */
export function waitsText({ kind }: Pick<ErrorReport, 'kind'>, ends: readonly EndReport[]): string | undefined {
  if (kind !== 'deadlock' || ends.length < 2) return undefined;
  const circle = circleOf(ends);
  const others = ends.filter(({ thread }) => !circle.includes(thread));
  const parts = [
    ...(circle.length > 1 ? [`threads ${listText(circle)} ${circleText(circle.length)}`] : []),
    ...others.map(({ thread, what }) => `thread ${thread} ${what}`),
  ];
  return `deadlock: ${parts.join('; ')}`;
}

function circleText(threads: number): string {
  return threads === 2 ? 'wait for each other' : 'wait in a circle, each for the next, the last for the first';
}

/** Threads that wait for one another in a cycle, each for the next; empty if there are none. */
export function circleOf(ends: readonly EndReport[]): readonly string[] {
  const next = new Map(ends.map(({ thread, waitsForThread }) => [thread, waitsForThread]));
  return ends.map(({ thread }) => circleFrom(thread, next)).find((found) => found.length > 0) ?? [];
}

/** The cycle of waiting threads that this one is on, if any. */
function circleFrom(start: string, next: ReadonlyMap<string, string | undefined>): readonly string[] {
  const circle = [start];
  for (let at = next.get(start); at !== undefined && circle.length <= next.size; at = next.get(at)) {
    if (at === start) return circle;
    circle.push(at);
  }
  return [];
}
