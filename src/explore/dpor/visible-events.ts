/** The visible events of the current execution: as a bit set, and as one list per process, newest first. */
import { larger } from '../../util/int-vector.ts';
import { NO_EVENT } from './dependence.ts';

export class VisibleEvents {
  /** Bit e: event e is visible. */
  bits: Int32Array = new Int32Array(4);
  length = 0;
  /** Per visible event: its process, and that process's previous visible event. */
  private processes = new Int32Array(128);
  private previous = new Int32Array(128);
  /** Per process: its last visible event. */
  private last = new Int32Array(128).fill(NO_EVENT);

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
    while (process >= this.last.length) this.last = larger(this.last, NO_EVENT);
    this.bits[word] = this.bits[word]! | bit;
    this.processes[event] = process;
    this.previous[event] = this.last[process]!;
    this.last[process] = event;
  }

  isVisible(event: number): boolean {
    return (this.bits[event >> 5]! & (1 << (event & 31))) !== 0;
  }

  /** The process of a visible event. */
  process(event: number): number {
    return this.processes[event]!;
  }

  /** The last visible event of the process, and the one before a given one; `NO_EVENT` if there is none. */
  lastOf(process: number): number {
    return process < this.last.length ? this.last[process]! : NO_EVENT;
  }
  before(event: number): number {
    return this.previous[event]!;
  }

  /** Forgets all events from number `depth` on. */
  rollback(depth: number): void {
    for (let event = this.length - 1; event >= depth; event--) {
      if (this.isVisible(event)) this.last[this.processes[event]!] = this.previous[event]!;
    }
    this.length = depth;
  }

  private grow(): void {
    this.processes = larger(this.processes, 0);
    this.previous = larger(this.previous, 0);
    this.bits = larger(this.bits, 0);
  }
}
