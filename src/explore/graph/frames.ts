/**
 * The stack of decisions. A frame is made when an event can be added in several ways: it holds the event, and the ways
 * that are still to be tried. Frames and their ways are stored in vectors, so that nothing is allocated per event.
 */
import { IntVector } from '../../util/int-vector.ts';
import { FIELDS } from './fields.ts';

/** What a frame decides: what a read reads; where a write goes, or which read it revisits; which choice to make. */
export const READ_FRAME = 1;
export const WRITE_FRAME = 2;
export const CHOICE_FRAME = 3;
/** Where a write that revisits a read goes. Frames above it belong to a different graph from those below it. */
export const REVISIT_FRAME = 4;

// Words of a frame.
export const F_KIND = 0;
export const F_LENGTH = 1; // events in the graph, without the one decided on
export const F_LOG = 2; // steps in the schedule
export const F_NEXT = 3; // the next way to try, a place in `ways`
export const F_WAYS = 4; // where its ways begin
export const F_READ = 5; // of a revisit: the read
export const F_SAVED = 6; // of a revisit: where the graph below it is kept
export const F_EVENT = 7; // the event
const FRAME_WORDS: number = F_EVENT + FIELDS;

export class Frames {
  private readonly frames = new IntVector();
  readonly ways: IntVector = new IntVector();
  /** The graphs below revisits. */
  readonly saved: IntVector = new IntVector();

  get isEmpty(): boolean {
    return this.frames.length === 0;
  }

  get count(): number {
    return this.frames.length / FRAME_WORDS;
  }

  /** A word of any frame, by its number from the first. */
  at(frame: number, field: number): number {
    return this.frames.words[frame * FRAME_WORDS + field]!;
  }

  /** Where the ways of a frame end. */
  endOf(frame: number): number {
    return frame === this.count - 1 ? this.ways.length : this.at(frame + 1, F_WAYS);
  }

  clear(): void {
    this.frames.clear();
    this.ways.clear();
    this.saved.clear();
  }

  /** Begins a frame, whose ways are then pushed to `ways`. */
  push(kind: number, length: number, log: number, event: Int32Array, at: number): void {
    const { frames, ways } = this;
    const to = frames.extend(FRAME_WORDS);
    const { words } = frames;
    words[to + F_KIND] = kind;
    words[to + F_LENGTH] = length;
    words[to + F_LOG] = log;
    words[to + F_NEXT] = ways.length;
    words[to + F_WAYS] = ways.length;
    words[to + F_READ] = -1;
    words[to + F_SAVED] = this.saved.length;
    for (let field = 0; field < FIELDS; field++) words[to + F_EVENT + field] = event[at + field]!;
  }

  get(field: number): number {
    return this.frames.words[this.frames.length - FRAME_WORDS + field]!;
  }

  set(field: number, value: number): void {
    this.frames.words[this.frames.length - FRAME_WORDS + field] = value;
  }

  /** The words that hold the event of the top frame, and where it begins. */
  get words(): Int32Array {
    return this.frames.words;
  }

  get event(): number {
    return this.frames.length - FRAME_WORDS + F_EVENT;
  }

  /** The next way to try of the top frame; `NO_WAY` if there is none. */
  nextWay(): number {
    const next = this.get(F_NEXT);
    if (next === this.ways.length) return NO_WAY;
    this.set(F_NEXT, next + 1);
    return this.ways.get(next);
  }

  pop(): void {
    this.ways.length = this.get(F_WAYS);
    this.saved.length = this.get(F_SAVED);
    this.frames.length -= FRAME_WORDS;
  }
}

export const NO_WAY = 0x7fffffff;
