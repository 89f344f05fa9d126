/**
 * What is left of a search over graphs, as plain data, so that another worker can continue it. There are no shared
 * nodes and no proposals: what lies below a way depends only on the ways that lead to it. So a path from the root is
 * enough, and the worker takes the same ways again.
 *
 * A level is a frame, an action one of its ways: its number, what the frame decides, and the slot of its thread. The
 * last two are checked when the way is taken again: on a machine whose threads have other slots, the numbers would lead
 * elsewhere. Every way is free.
 */
import type { Job } from '../dpor/job.ts';
import type { SearchLevel } from '../dpor/search-state.ts';
import { THREAD } from './fields.ts';
import { CHOICE_FRAME, F_EVENT, F_KIND, F_NEXT, F_WAYS, type Frames } from './frames.ts';

/** Which way to take at a frame, and whether to keep those after it for later. */
export interface Prescribed {
  readonly way: number;
  readonly kind: number;
  readonly slot: number;
  readonly keepsRest: boolean;
}

/** The first choice is taken when its frame is made, so it is not among the frame's ways. */
export function firstWay(kind: number): number {
  return kind === CHOICE_FRAME ? 1 : 0;
}

/** The ways that lead to a job, or to where it was left. */
export function pathOf({ shared, own = [] }: Job): readonly Prescribed[] {
  const above = shared.map(({ step }) => parse(step, false));
  const below = own.map(({ step, branches }) => {
    const [first, ...rest] = [...(step === undefined ? [] : [step]), ...branches.map(({ action }) => action)];
    return parse(first!, rest.length > 0);
  });
  return [...above, ...below];
}

function parse(action: string, keepsRest: boolean): Prescribed {
  const [way, kind, slot] = action.split(' ').map(Number);
  return { way: way!, kind: kind!, slot: slot!, keepsRest };
}

/**
 * What is left below the first `above` frames. `isNext`: the current way of the last frame has been taken, but nothing
 * below it has been explored.
 */
export function levelsOf(
  frames: Frames,
  slots: readonly number[],
  above: number,
  isNext: boolean,
): readonly SearchLevel[] {
  const levels: SearchLevel[] = [];
  let length = 0;
  for (let frame = above; frame < frames.count; frame++) {
    const kind = frames.at(frame, F_KIND);
    const first = firstWay(kind);
    const action = (way: number): string => `${way} ${kind} ${slots[frames.at(frame, F_EVENT + THREAD)]}`;
    const base = frames.at(frame, F_WAYS);
    const next = frames.at(frame, F_NEXT);
    const taken = next - base - 1 + first;
    const branches: { action: string; children: [] }[] = [];
    for (let way = next; way < frames.endOf(frame); way++)
      branches.push({ action: action(way - base + first), children: [] });
    if (isNext && frame === frames.count - 1) branches.unshift({ action: action(taken), children: [] });
    levels.push({ finished: [], step: action(taken), isFree: true, branches });
    if (branches.length > 0) length = levels.length;
  }
  if (length === 0) return [];
  // The current way of the last frame with ways left has been explored, with everything below it.
  const last = levels[length - 1]!;
  return [...levels.slice(0, length - 1), { finished: [], branches: last.branches }];
}
