/**
 * What is left of a search, as plain data, so that another engine can continue it. What is below a node depends on the
 * node alone, so a job is a path from the root, with the ways that are still to be taken from its nodes: a level per
 * turn, each way as a list of numbers. These mean the same in every engine: a process is its thread and what it is of
 * that thread, a source is the index in the store order of some bytes.
 */

import { type ProcessTable, WHOLE_BUFFER } from '../../machine/state/process.ts';
import type { Branch, SearchLevel } from '../dpor/search-state.ts';
import { choiceOf, processOf, type Step, stepOf } from '../runnable.ts';
import {
  CANONICAL,
  CHOICE,
  INNER,
  L_CHOICE,
  L_CHOICES,
  L_END,
  L_KIND,
  L_MAY_STAY,
  L_PLACE,
  L_PROCESS,
  L_TAKEN,
  L_WAY,
  LATE,
  type Levels,
  PLACE,
  REVERSAL,
} from './levels.ts';
import type { Limit } from './pending.ts';
import type { Reversal } from './reversals.ts';

/** A late operation stays where it is; not a way that leads to an event. */
export const STAY = 4;

/** `thread`: that of a late turn; otherwise -1. `place` is as in `Levels`. */
export type Way =
  | { readonly kind: typeof CANONICAL }
  | { readonly kind: typeof CHOICE; readonly choice: number }
  | { readonly kind: typeof PLACE; readonly thread: number; readonly place: readonly number[] }
  | { readonly kind: typeof REVERSAL; readonly reversal: Reversal }
  | { readonly kind: typeof STAY; readonly thread: number };

/** A search that has not begun. */
export const NOT_BEGUN: readonly SearchLevel[] = [{ finished: [], branches: [] }];

/** In place of a location: the process is the thread itself. */
const ITSELF = -2;
const NOT_LATE = -1;

export class Ways {
  private readonly processes: ProcessTable;

  constructor(processes: ProcessTable) {
    this.processes = processes;
  }

  /** What is left at the first `length` levels. */
  levels(levels: Levels, length: number): readonly SearchLevel[] {
    const result: SearchLevel[] = [];
    let end = 0;
    for (let depth = 0; depth < length; depth++) {
      if (levels.get(depth, L_KIND) === INNER) continue;
      const branches = this.left(levels, depth);
      result.push({ finished: [], step: JSON.stringify(this.taken(levels, depth)), isFree: true, branches });
      if (branches.length > 0) end = result.length;
    }
    return end === 0 ? [] : [...result.slice(0, end - 1), { finished: [], branches: result[end - 1]!.branches }];
  }

  private taken(levels: Levels, depth: number): readonly number[] {
    switch (levels.get(depth, L_WAY)) {
      case CANONICAL:
        return [CANONICAL];
      case CHOICE:
        return [CHOICE, levels.get(depth, L_TAKEN)];
      case PLACE:
        return placeWords(levels, depth, levels.get(depth, L_TAKEN));
      default:
        return this.reversalWords(levels.reversals[depth]!);
    }
  }

  private left(levels: Levels, depth: number): readonly Branch[] {
    const ways: (readonly number[])[] = [];
    for (let choice = levels.get(depth, L_CHOICE); choice < levels.get(depth, L_CHOICES); choice++)
      ways.push([CHOICE, choice]);
    for (let place = levels.get(depth, L_PLACE); place < levels.get(depth, L_END); place = levels.placeEnd(place))
      ways.push(placeWords(levels, depth, place));
    if (levels.get(depth, L_MAY_STAY) === 1) ways.push([STAY, levels.get(depth, L_PROCESS)]);
    for (const reversal of levels.waiting[depth]!) ways.push(this.reversalWords(reversal));
    return ways.map((words) => ({ action: JSON.stringify(words), children: [] }));
  }

  private reversalWords({ steps, process, postponed, choice, low, lowEnd, ranges }: Reversal): readonly number[] {
    const words = [REVERSAL, ...this.processWords(process), ...this.processWords(postponed)];
    words.push(choice, low, lowEnd, ranges.length);
    for (const { start, end } of ranges) words.push(start, end);
    for (let i = 0; i < steps.length; ) {
      const step = steps[i]!;
      const end = i + 2 + 3 * steps[i + 1]!;
      words.push(...this.processWords(processOf(step)), choiceOf(step), ...steps.slice(i + 1, end));
      i = end;
    }
    return words;
  }

  private processWords(process: number): readonly [thread: number, location: number] {
    const { processes } = this;
    return [processes.owner(process), processes.isThread(process) ? ITSELF : processes.location(process)];
  }

  // ---- and back

  parse(text: string): Way {
    const [kind, ...words] = JSON.parse(text) as number[];
    switch (kind) {
      case CANONICAL:
        return { kind };
      case CHOICE:
        return { kind, choice: words[0]! };
      case PLACE:
        return { kind, thread: words[0]!, place: words.slice(1) };
      case REVERSAL:
        return { kind, reversal: this.reversalOf(words) };
      case STAY:
        return { kind, thread: words[0]! };
      default:
        throw new Error(`no way of a search: ${text}`);
    }
  }

  private reversalOf(words: readonly number[]): Reversal {
    const [choice, low, lowEnd, count] = words.slice(4) as [number, number, number, number];
    const ranges: Limit[] = [];
    let at = 8;
    for (; ranges.length < count; at += 2) ranges.push({ start: words[at]!, end: words[at + 1]!, index: 0 });
    const steps: number[] = [];
    while (at < words.length) {
      const end = at + 4 + 3 * words[at + 3]!;
      steps.push(this.stepOf(words[at]!, words[at + 1]!, words[at + 2]!), ...words.slice(at + 3, end));
      at = end;
    }
    return {
      steps,
      process: this.processOf(words[0]!, words[1]!),
      postponed: this.processOf(words[2]!, words[3]!),
      choice,
      low,
      lowEnd,
      ranges,
    };
  }

  private stepOf(thread: number, location: number, choice: number): Step {
    return stepOf(this.processOf(thread, location), choice);
  }

  private processOf(thread: number, location: number): number {
    if (location === ITSELF) return thread;
    const { processes } = this;
    return location === WHOLE_BUFFER ? processes.wholeBuffer(thread) : processes.locationBuffer(thread, location);
  }
}

function placeWords(levels: Levels, depth: number, place: number): readonly number[] {
  const thread = levels.get(depth, L_KIND) === LATE ? levels.get(depth, L_PROCESS) : NOT_LATE;
  return [PLACE, thread, ...levels.places.words.subarray(place, levels.placeEnd(place))];
}

/** Calls `add` with every range of bytes that the way names: in the engine that found it, no cell crosses its ends. */
export function eachRange(way: Way, add: (start: number, end: number) => void): void {
  if (way.kind === PLACE) for (let i = 1; i < way.place.length; i += 3) add(way.place[i]!, way.place[i + 1]!);
  if (way.kind !== REVERSAL) return;
  const { steps, low, lowEnd, ranges } = way.reversal;
  add(low, lowEnd);
  for (const { start, end } of ranges) add(start, end);
  for (let i = 0; i < steps.length; ) {
    const end = i + 2 + 3 * steps[i + 1]!;
    for (let of = i + 2; of < end; of += 3) add(steps[of]!, steps[of + 1]!);
    i = end;
  }
}

/** The thread whose late turn it is, if the way belongs to one; otherwise -1. */
export function lateThread(way: Way): number {
  return way.kind === PLACE || way.kind === STAY ? way.thread : NOT_LATE;
}
