/** The visible events of the current execution: as a bit set, and as one list per process, in both directions. */
import { type IntVector, larger } from '../../util/int-vector.ts';
import { NO_EVENT } from './dependence.ts';

export class VisibleEvents {
  /** Bit e: event e is visible. */
  bits: Int32Array = new Int32Array(4);
  length = 0;
  /** Per visible event: its process, and that process's previous and next visible event. */
  private processes = new Int32Array(128);
  private previous = new Int32Array(128);
  private following = new Int32Array(128);
  /** Per process: its last visible event. */
  private last = new Int32Array(128).fill(NO_EVENT);
  /** Larger than the number of any process with a visible event; never decreases. */
  processEnd = 0;

  /** Adds the next event; `process` is its process if it is visible. */
  add(isVisible: boolean, process: number): void {
    const event = this.length++;
    if (event === this.processes.length) this.grow();
    const word = event >> 5;
    const bit = 1 << (event & 31);
    if (!isVisible) {
      this.bits[word] = this.bits[word]! & ~bit;
      return;
    }
    if (process >= this.processEnd) this.addProcess(process);
    this.bits[word] = this.bits[word]! | bit;
    this.processes[event] = process;
    const previous = this.last[process]!;
    this.previous[event] = previous;
    if (previous !== NO_EVENT) this.following[previous] = event;
    this.last[process] = event;
  }

  isVisible(event: number): boolean {
    return (this.bits[event >> 5]! & (1 << (event & 31))) !== 0;
  }

  /** The process of a visible event. */
  process(event: number): number {
    return this.processes[event]!;
  }

  /**
   * The last visible event of the process, and those of a process before and after a given one; `NO_EVENT` if there is
   * none.
   */
  lastOf(process: number): number {
    return process < this.processEnd ? this.last[process]! : NO_EVENT;
  }
  before(event: number): number {
    return this.previous[event]!;
  }
  after(event: number): number {
    return this.last[this.processes[event]!] === event ? NO_EVENT : this.following[event]!;
  }

  /**
   * Fills `out` with the visible events from number `depth` on; if at least `longFrom` events follow, with only the
   * first of each process.
   */
  firstFrom(depth: number, longFrom: number, out: IntVector): void {
    out.clear();
    if (this.length - depth < longFrom) {
      for (let event = depth; event < this.length; event++) if (this.isVisible(event)) out.push(event);
      return;
    }
    for (let process = 0; process < this.processEnd; process++) {
      let first = NO_EVENT;
      for (let event = this.last[process]!; event >= depth; event = this.previous[event]!) first = event;
      if (first !== NO_EVENT) out.push(first);
    }
  }

  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void {
    for (let event = this.length - 1; event >= depth; event--) {
      if (this.isVisible(event)) this.last[this.processes[event]!] = this.previous[event]!;
    }
    this.length = depth;
  }

  private addProcess(process: number): void {
    while (process >= this.last.length) this.last = larger(this.last, NO_EVENT);
    this.processEnd = process + 1;
  }

  private grow(): void {
    this.following = larger(this.following, 0);
    this.processes = larger(this.processes, 0);
    this.previous = larger(this.previous, 0);
    this.bits = larger(this.bits, 0);
  }
}
