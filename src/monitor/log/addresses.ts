/** Small numbers for the addresses of a log, which may be of 64-bit machines: stretches of memory, one after the other. */
import { LogError } from './record.ts';

const STRETCH_BITS = 20;
const STRETCH = 1 << STRETCH_BITS;
const MAX_STRETCHES = 1 << (31 - STRETCH_BITS);

export class Addresses {
  private readonly stretches = new Map<number, number>();
  /** The last one asked for. */
  private last = -1;
  private base = 0;

  /** Whether all these bytes are in one stretch, and so have numbers that follow each other. */
  isWhole(address: number, size: number): boolean {
    return (address <= 0x7fffffff ? address & (STRETCH - 1) : address % STRETCH) + size <= STRETCH;
  }

  /** How many of these bytes are in the first stretch. */
  part(address: number, size: number): number {
    return Math.min(size, STRETCH - (address % STRETCH));
  }

  number(address: number): number {
    // Whole numbers of 32 bits are faster than others.
    const isSmall = address <= 0x7fffffff;
    const stretch = isSmall ? address >> STRETCH_BITS : Math.floor(address / STRETCH);
    if (stretch !== this.last) {
      let number = this.stretches.get(stretch);
      if (number === undefined) {
        number = this.stretches.size;
        if (number === MAX_STRETCHES) throw new LogError('is about more memory than can be kept apart');
        this.stretches.set(stretch, number);
      }
      this.last = stretch;
      this.base = number * STRETCH;
    }
    return this.base + (isSmall ? address & (STRETCH - 1) : address % STRETCH);
  }
}
