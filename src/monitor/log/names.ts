/**
 * Names of places in the readable form of a log. One that a line gives an address to is that address, wherever it stands;
 * any other gets an address of its own, away from everything real.
 *
 * A name that events have used before a line says where it is cannot be put right any more in a stream: what came before
 * was about another place. Then the log is to be read again, with the names known from the start (`LateName`).
 */
import { MemoryLimit } from '../../util/memory-limit.ts';
import { LogError } from './record.ts';

/** Where variables that are known by name alone are put: room for each. */
export const NAMED_BASE: number = 2 ** 52;
export const NAMED_BYTES = 65_536;

const MAX_NAMES = 2 ** 21;

/** An address as the readable form has it; `undefined` if it is none, or too large. */
export function addressOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : value;
  const isAddress = typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 && number < NAMED_BASE;
  return isAddress ? number : undefined;
}

/** A name is said to be an address after events have used it. */
export class LateName extends LogError {}

interface Place {
  readonly address: number;
  readonly isDeclared: boolean;
  /** Events have used it. */
  isUsed: boolean;
  /** It was given to several addresses: as a place it means none of them. */
  isShared: boolean;
}

export class Names {
  private readonly places = new Map<string, Place>();
  private own = 0;

  /** The name is what the bytes from `address` on are called. Returns what is wrong with that. */
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

  /** The address that an event means by the name; `undefined` if it is that of several. */
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

  /** Those that have one address. */
  *declared(): Generator<readonly [name: string, address: number]> {
    for (const [name, { address, isDeclared, isShared }] of this.places) {
      if (isDeclared && !isShared) yield [name, address];
    }
  }
}
