/**
 * Small numbers for the addresses of a log, which may come from a 64-bit machine: the blocks of memory that are
 * accessed are numbered consecutively.
 */
import { LogError } from './record.ts';

const STRETCH_BITS = 20;
const STRETCH = 1 << STRETCH_BITS;
const RECENT = 64;
/** One less than there is room for, so that the end of an access also has a number. */
const MAX_STRETCHES = (1 << (31 - STRETCH_BITS)) - 1;

export class Addresses {
  private readonly stretches = new Map<number, number>();
  /** The block looked up last. */
  private last = -1;
  private base = 0;
  /** A cache of recently looked-up blocks, indexed by some of their bits, and where their numbers begin. */
  private readonly recent = new Float64Array(RECENT).fill(-1);
  private readonly bases = new Int32Array(RECENT);
  /** Describes what needs the address, for error messages. */
  private readonly asker: () => string;

  constructor(asker: () => string) {
    this.asker = asker;
  }

  /** Whether all these bytes are in one block, and so have consecutive numbers. */
  isWhole(address: number, size: number): boolean {
    return (address <= 0x7fffffff ? address & (STRETCH - 1) : address % STRETCH) + size <= STRETCH;
  }

  /** How many of these bytes are in the first block. */
  part(address: number, size: number): number {
    return Math.min(size, STRETCH - (address % STRETCH));
  }

  number(address: number): number {
    // 32-bit integers are faster.
    const isSmall = address <= 0x7fffffff;
    const stretch = isSmall ? address >> STRETCH_BITS : Math.floor(address / STRETCH);
    if (stretch !== this.last) this.turnTo(stretch);
    return this.base + (isSmall ? address & (STRETCH - 1) : address % STRETCH);
  }

  private turnTo(stretch: number): void {
    const bits = stretch | 0;
    const place = (bits ^ (bits >>> 6) ^ (bits >>> 12)) & (RECENT - 1);
    if (this.recent[place] !== stretch) this.find(stretch, place);
    this.last = stretch;
    this.base = this.bases[place]!;
  }

  private find(stretch: number, place: number): void {
    let number = this.stretches.get(stretch);
    if (number === undefined) {
      number = this.stretches.size;
      if (number === MAX_STRETCHES) {
        throw new LogError(`${this.asker()} accesses more memory than supported: ${MAX_STRETCHES} MiB`);
      }
      this.stretches.set(stretch, number);
    }
    this.recent[place] = stretch;
    this.bases[place] = number * STRETCH;
  }
}
