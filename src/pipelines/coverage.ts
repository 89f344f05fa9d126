/**
 * How much random runs cover: the number of distinct traces, and how likely another run is to show a new one (the
 * Good–Turing estimate: the number of traces seen once, divided by that of runs). Traces are identified by a hash of 53
 * bits, so that the memory for a run does not depend on its length; two traces with the same hash count as one.
 *
 * A watcher whose parts are never saved: a search that makes random runs starts over instead. What workers `collect`,
 * it adds in the order of runs, so that the result is the same to the last trace that fits.
 */
import type { Machine } from '../machine/machine.ts';
import { traceKey } from '../trace/trace-key.ts';

export interface CoverageResult {
  readonly runs: number;
  /** Distinct traces, and those that only one run had. */
  readonly traces: number;
  readonly once: number;
}

/** The most traces to remember. */
const MAX_TRACES = 1 << 22;

export class Coverage {
  /** By hash: whether it was seen again. */
  private readonly seen = new Map<number, boolean>();
  private runs = 0;
  private once = 0;
  /** Hashes of the runs since the last `collect`, if another instance adds them up. */
  private hashes: number[] | undefined;

  /** Call at the end of every execution. */
  conclude(machine: Machine): void {
    if (this.seen.size >= MAX_TRACES) return;
    const hash = hashOf(traceKey(machine));
    if (this.hashes === undefined) this.note(hash);
    else this.hashes.push(hash);
  }

  private note(hash: number): void {
    if (this.seen.size >= MAX_TRACES) return;
    this.runs++;
    const isAgain = this.seen.get(hash);
    if (isAgain === undefined) this.once++;
    else if (!isAgain) this.once--;
    this.seen.set(hash, isAgain !== undefined);
  }

  /** Hashes of the runs since the last call. After the first call, nothing is counted here. */
  collect(): readonly number[] {
    const { hashes = [] } = this;
    this.hashes = [];
    return hashes;
  }

  get collected(): number {
    return this.hashes?.length ?? 0;
  }

  /** Drops all collected hashes after the first `count`. */
  forget(count: number): void {
    if (this.hashes !== undefined) this.hashes.length = count;
  }

  /** Adds what another instance has collected. */
  add(hashes: readonly number[]): void {
    for (const hash of hashes) this.note(hash);
  }

  get result(): CoverageResult {
    return { runs: this.runs, traces: this.seen.size, once: this.once };
  }
}

/** 53 bits: two rounds of a multiplicative hash with different constants. */
function hashOf(text: string): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (high >>> 15);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
