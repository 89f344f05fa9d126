/**
 * The path from the root of the search's tree to where it is, a level per event: whose turn it was, which way was taken,
 * and which others are left.
 */
import { IntVector, larger } from '../../util/int-vector.ts';
import type { PendingList } from './pending.ts';
import type { Reversal } from './reversals.ts';

// What the event at some depth is.
/** Part of a reversal: the node at whose depth the reversal begins goes through the alternatives. */
export const INNER = 0;
/** An operation had its turn. */
export const TURN = 1;
/** An operation that waits was placed, or is to be left waiting. */
export const LATE = 2;

// Which way was taken; at a late turn, always a place.
export const CANONICAL = 0;
export const CHOICE = 1;
export const PLACE = 2;
export const REVERSAL = 3;

// Words of a level.
export const L_KIND = 0;
export const L_PROCESS = 1; // whose turn it is
export const L_CHOICE = 2; // the next choice
export const L_CHOICES = 3;
export const L_PLACES = 4; // where its places begin in `places`
export const L_PLACE = 5; // the next one
export const L_END = 6; // where they end
export const L_WAY = 7; // the way that was taken
export const L_TAKEN = 8; // the choice, or where its place is
export const L_MAY_STAY = 9; // 1 if a late operation has yet to be left waiting
const L_WORDS = 10;

export class Levels {
  private words = new Int32Array(L_WORDS * 64);
  readonly pending: PendingList[] = [];
  /** Reversals that were found in the subtree of the canonical way, and wait until it is done. */
  readonly waiting: Reversal[][] = [];
  /** Where that is the way that was taken. */
  readonly reversals: (Reversal | undefined)[] = [];
  /** Places of all levels: how many cells, and for each where it starts and ends and the index of its source. */
  readonly places: IntVector = new IntVector();

  get(depth: number, word: number): number {
    return this.words[depth * L_WORDS + word]!;
  }
  set(depth: number, word: number, value: number): void {
    this.words[depth * L_WORDS + word] = value;
  }

  begin(depth: number, kind: number, process: number, choices: number, pending: PendingList): void {
    while ((depth + 1) * L_WORDS > this.words.length) this.words = larger(this.words);
    const { words } = this;
    const { length } = this.places;
    const l = depth * L_WORDS;
    words[l + L_KIND] = kind;
    words[l + L_PROCESS] = process;
    words[l + L_CHOICE] = 1;
    words[l + L_CHOICES] = choices;
    words[l + L_PLACES] = length;
    words[l + L_PLACE] = length;
    words[l + L_END] = length;
    words[l + L_WAY] = CANONICAL;
    words[l + L_MAY_STAY] = kind === LATE ? 1 : 0;
    this.pending[depth] = pending;
    const waiting = this.waiting[depth];
    if (waiting === undefined) this.waiting[depth] = [];
    else if (waiting.length > 0) waiting.length = 0;
  }

  hasAlternative(depth: number): boolean {
    const { words } = this;
    const l = depth * L_WORDS;
    if (words[l + L_MAY_STAY] === 1 || words[l + L_CHOICE]! < words[l + L_CHOICES]!) return true;
    return words[l + L_PLACE]! < words[l + L_END]! || this.waiting[depth]!.length > 0;
  }

  /** Where the words of the place that begins at `place` end. */
  placeEnd(place: number): number {
    return place + 1 + 3 * this.places.words[place]!;
  }

  /** All places that have been found since the level began are its. */
  endPlaces(depth: number): void {
    this.set(depth, L_END, this.places.length);
  }

  take(depth: number, way: number, taken: number): void {
    this.set(depth, L_WAY, way);
    this.set(depth, L_TAKEN, taken);
  }

  takeReversal(depth: number, reversal: Reversal): void {
    this.take(depth, REVERSAL, 0);
    this.reversals[depth] = reversal;
  }

  /** The levels below this one are forgotten. */
  cut(depth: number): PendingList {
    this.places.length = this.get(depth, L_END);
    return this.pending[depth]!;
  }

  clear(): void {
    this.places.clear();
    this.pending.length = 0;
    this.waiting.length = 0;
  }
}
