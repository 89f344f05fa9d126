import { allocateWords } from './memory-limit.ts';

/** Numbers integers 0, 1, 2, … in the order in which they are first seen: a hash table without objects. */
export class IntMap {
  private slots = new Int32Array(64).fill(-1);
  private keys = new Int32Array(32);
  /** Keeps the upper bits of the hash product, which are the best mixed: enough to index the slots. */
  private shift = 26;
  size = 0;

  /** The number of `key`; a new one if it has none yet. */
  number(key: number): number {
    const mask = this.slots.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.shift;
    for (;;) {
      slot &= mask;
      const found = this.slots[slot]!;
      if (found < 0) break;
      if (this.keys[found] === key) return found;
      slot++;
    }
    const number = this.size++;
    if (number === this.keys.length) this.grow();
    this.keys[number] = key;
    this.insert(number);
    return number;
  }

  key(number: number): number {
    return this.keys[number]!;
  }

  private insert(number: number): void {
    const mask = this.slots.length - 1;
    let slot = Math.imul(this.keys[number]!, 0x9e3779b1) >>> this.shift;
    while (this.slots[slot]! >= 0) slot = (slot + 1) & mask;
    this.slots[slot] = number;
  }

  private grow(): void {
    const keys = allocateWords(this.keys.length * 2);
    keys.set(this.keys);
    this.keys = keys;
    this.slots = allocateWords(keys.length * 2).fill(-1);
    this.shift--;
    for (let number = 0; number < this.size - 1; number++) this.insert(number);
  }
}
