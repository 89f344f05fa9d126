/**
 * A growing Shasha–Snir trace: the source of every read, byte by byte, and the writes of every byte in order.
 * Mutexes and condition variables are bytes too: lock, unlock, wait and wake write them, a failed trylock reads.
 */
export class Trace {
  /** Events so far, per thread. */
  private counts: number[];
  /** Per thread: sources and choices. */
  private reads: string[];
  /** Per byte: its writes. */
  private writes: string[];
  private last: number[];

  constructor(threads: number, bytes: number) {
    this.counts = new Array<number>(threads).fill(0);
    this.reads = new Array<string>(threads).fill('');
    this.writes = new Array<string>(bytes).fill('');
    this.last = new Array<number>(bytes).fill(0);
  }

  copy(): Trace {
    const other = new Trace(0, 0);
    other.counts = this.counts.slice();
    other.reads = this.reads.slice();
    other.writes = this.writes.slice();
    other.last = this.last.slice();
    return other;
  }

  /** Adds an event of the thread. */
  event(thread: number): number {
    return (thread + 1) * 1024 + ++this.counts[thread]!;
  }

  readMemory(thread: number, at: number, size: number): void {
    let text = this.reads[thread]!;
    for (let i = at; i < at + size; i++) text += `${this.last[i]!.toString(36)},`;
    this.reads[thread] = text;
  }

  readFrom(thread: number, event: number, size: number): void {
    this.reads[thread] += `${event.toString(36)},`.repeat(size);
  }

  choose(thread: number, choice: number): void {
    this.reads[thread] += `?${choice},`;
  }

  write(event: number, at: number, size: number): void {
    for (let i = at; i < at + size; i++) {
      this.last[i] = event;
      this.writes[i] += `${event.toString(36)},`;
    }
  }

  get key(): string {
    return `${this.reads.join('|')}#${this.writes.join('|')}`;
  }
}
