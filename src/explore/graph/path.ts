/**
 * What is left of a search over graphs, as plain data, so that others can go on with it. There are no shared nodes to propose
 * anything to: what lies behind a way depends on nothing but the ways that lead to it. So a path from the root is enough, and
 * whoever goes on takes the same ways again.
 *
 * A level is a frame, an action the number of one of its ways. Every way is free.
 */
import type { Job } from '../dpor/job.ts';
import type { SearchLevel } from '../dpor/search-state.ts';
import { CHOICE_FRAME, F_KIND, F_NEXT, F_WAYS, type Frames } from './frames.ts';

/** Which way to take at a frame, and whether those behind it are to be taken later. */
export interface Prescribed {
  readonly way: number;
  readonly keepsRest: boolean;
}

/** The first choice is made when its frame is made, so it is not among its ways. */
export function firstWay(kind: number): number {
  return kind === CHOICE_FRAME ? 1 : 0;
}

/** The ways that lead to a job, or to where it was left. */
export function pathOf({ shared, own = [] }: Job): readonly Prescribed[] {
  const above = shared.map(({ step }) => ({ way: Number(step), keepsRest: false }));
  const below = own.map(({ step, branches }) => {
    const [first, ...rest] = [...(step === undefined ? [] : [step]), ...branches.map(({ action }) => action)];
    return { way: Number(first), keepsRest: rest.length > 0 };
  });
  return [...above, ...below];
}

/**
 * What is left behind the first `above` frames. `isNext`: the present way of the last frame has been taken, but nothing behind it
 * has been explored.
 */
export function levelsOf(frames: Frames, above: number, isNext: boolean): readonly SearchLevel[] {
  const levels: SearchLevel[] = [];
  let length = 0;
  for (let frame = above; frame < frames.count; frame++) {
    const first = firstWay(frames.at(frame, F_KIND));
    const base = frames.at(frame, F_WAYS);
    const next = frames.at(frame, F_NEXT);
    const taken = next - base - 1 + first;
    const branches: { action: string; children: [] }[] = [];
    for (let way = next; way < frames.endOf(frame); way++)
      branches.push({ action: `${way - base + first}`, children: [] });
    if (isNext && frame === frames.count - 1) branches.unshift({ action: `${taken}`, children: [] });
    levels.push({ finished: [], step: `${taken}`, isFree: true, branches });
    if (branches.length > 0) length = levels.length;
  }
  if (length === 0) return [];
  // What is behind the last frame with ways left has been explored, and so has its present way.
  const last = levels[length - 1]!;
  return [...levels.slice(0, length - 1), { finished: [], branches: last.branches }];
}
