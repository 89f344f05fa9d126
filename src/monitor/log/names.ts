/**
 * Names of places in the readable form of a log. A name that a line declares for an address means that address
 * everywhere; any other name gets its own address, away from all real ones.
 *
 * If events use a name before a line declares its address, they have been given a different place, which a stream
 * cannot correct. Then the log must be read again, with the names known from the start (`LateName`).
 */
import { MemoryLimit } from '../../util/memory-limit.ts';
import { LogError } from './record.ts';

/** Where variables without an address are placed, with room for each. */
export const NAMED_BASE: number = 2 ** 52;
export const NAMED_BYTES = 65_536;

const MAX_NAMES = 2 ** 21;

/** An address in the readable form; `undefined` if it is not one, or too large. */
export function addressOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : value;
  const isAddress = typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 && number < NAMED_BASE;
  return isAddress ? number : undefined;
}

/** A name is declared for an address after events have used it. */
export class LateName extends LogError {}

interface Place {
  readonly address: number;
  readonly isDeclared: boolean;
  /** Whether events have used it. */
  isUsed: boolean;
  /** Whether it was given to several addresses, so that as a place it means none of them. */
  isShared: boolean;
}

export class Names {
  private readonly places = new Map<string, Place>();
  private own = 0;

  /** Declares the name of the bytes from `address` on. Returns what is wrong, if anything. */
  declare(name: string, address: number): 'late' | 'again' | undefined {
    const known = this.places.get(name);
    if (known === undefined) {
      if (this.places.size === MAX_NAMES) throw new MemoryLimit(`more than ${MAX_NAMES} names`);
      this.places.set(name, { address, isDeclared: true, isUsed: false, isShared: false });
    } else if (known.address !== address) {
      if (known.isUsed) return known.isDeclared ? 'again' : 'late';
      known.isShared = true;
    }
    return undefined;
  }

  /** The address that the name means in an event; `undefined` if there are several. */
  use(name: string): number | undefined {
    let place = this.places.get(name);
    if (place === undefined) {
      place = { address: NAMED_BASE + this.own++ * NAMED_BYTES, isDeclared: false, isUsed: false, isShared: false };
      this.places.set(name, place);
    }
    place.isUsed = true;
    return place.isShared ? undefined : place.address;
  }

  has(name: string): boolean {
    return this.places.has(name);
  }

  /** The names with exactly one address. */
  *declared(): Generator<readonly [name: string, address: number]> {
    for (const [name, { address, isDeclared, isShared }] of this.places) {
      if (isDeclared && !isShared) yield [name, address];
    }
  }
}
