/** A deadlock, told once: who waits for whom. */
import { listText } from '../../util/list-text.ts';
import type { ErrorReport } from '../schema.ts';
import type { EndReport } from '../trace-schema.ts';

/** Who waits for whom, if threads wait for each other: the end of the story says for what. */
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

/** Threads that wait for one another, each for the next one; none if there are no such threads. */
export function circleOf(ends: readonly EndReport[]): readonly string[] {
  const next = new Map(ends.map(({ thread, waitsForThread }) => [thread, waitsForThread]));
  return ends.map(({ thread }) => circleFrom(thread, next)).find((found) => found.length > 0) ?? [];
}

/** The threads that wait for one another, if this one is among them. */
function circleFrom(start: string, next: ReadonlyMap<string, string | undefined>): readonly string[] {
  const circle = [start];
  for (let at = next.get(start); at !== undefined && circle.length <= next.size; at = next.get(at)) {
    if (at === start) return circle;
    circle.push(at);
  }
  return [];
}
