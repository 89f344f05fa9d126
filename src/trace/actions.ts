/**
 * Actions: what other threads can observe of a step: which process runs, and which bytes it reads or writes.
 * Two steps that do the same have the same number in every execution, so that sleep sets and wakeup trees can hold
 * numbers instead of events.
 *
 * `own` is for a load of bytes that the thread itself wrote last: the index of that store in the thread. While the
 * store is buffered, the load takes its value from there, whatever other threads write ([NIDHUGG] Sect. 3: such a load
 * synchronises only when its store's update happens).
 */
import { COMMUTES } from '../machine/code/commuting.ts';
import { EXCLUDES_ALL, WRITES } from '../machine/events/effects.ts';
import { allocateWords } from '../util/memory-limit.ts';

/** Actions use the same bits as events. */
export { WRITES };

const A_STEP = 0;
const A_THREAD = 1;
const A_ACCESS = 2;
const A_ADDRESS = 3;
const A_SIZE = 4;
const A_OWN = 5;
/** A condition wait touches two objects. This is the second: one byte, which it writes. */
const A_SECOND = 6;
const ACTION_WORDS = 7;

export const NO_OWN_STORE = -1;
export const NO_ADDRESS = -1;

export class Actions {
  private words = new Int32Array(ACTION_WORDS * 64);
  private slots = new Int32Array(256).fill(-1);
  size = 0;

  /** The number of this action. */
  intern(
    step: number,
    thread: number,
    access: number,
    address: number,
    size: number,
    own: number,
    second: number,
  ): number {
    let slot = hash(step, access, address, size, own, second);
    for (;;) {
      slot &= this.slots.length - 1;
      const a = this.slots[slot]!;
      if (a < 0) break;
      const at = a * ACTION_WORDS;
      const { words } = this;
      if (
        words[at + A_STEP] === step &&
        words[at + A_ACCESS] === access &&
        words[at + A_ADDRESS] === address &&
        words[at + A_SIZE] === size &&
        words[at + A_OWN] === own &&
        words[at + A_SECOND] === second
      ) {
        return a;
      }
      slot++;
    }
    const action = this.size++;
    const at = action * ACTION_WORDS;
    if (at === this.words.length) this.grow();
    const { words } = this;
    words[at + A_STEP] = step;
    words[at + A_THREAD] = thread;
    words[at + A_ACCESS] = access;
    words[at + A_ADDRESS] = address;
    words[at + A_SIZE] = size;
    words[at + A_OWN] = own;
    words[at + A_SECOND] = second;
    this.insert(action);
    return action;
  }

  /** The same action, except for its step and access. */
  variant(action: number, step: number, access: number): number {
    const at = action * ACTION_WORDS;
    const { words } = this;
    return this.intern(
      step,
      words[at + A_THREAD]!,
      access,
      words[at + A_ADDRESS]!,
      words[at + A_SIZE]!,
      words[at + A_OWN]!,
      words[at + A_SECOND]!,
    );
  }

  private insert(action: number): void {
    const { words, slots } = this;
    const at = action * ACTION_WORDS;
    let slot = hash(
      words[at + A_STEP]!,
      words[at + A_ACCESS]!,
      words[at + A_ADDRESS]!,
      words[at + A_SIZE]!,
      words[at + A_OWN]!,
      words[at + A_SECOND]!,
    );
    const mask = slots.length - 1;
    slot &= mask;
    while (slots[slot]! >= 0) slot = (slot + 1) & mask;
    slots[slot] = action;
  }

  private grow(): void {
    const words = allocateWords(this.words.length * 2);
    words.set(this.words);
    this.words = words;
    this.slots = allocateWords((words.length / ACTION_WORDS) * 4).fill(-1);
    for (let action = 0; action < this.size - 1; action++) this.insert(action);
  }

  step(action: number): number {
    return this.words[action * ACTION_WORDS + A_STEP]!;
  }
  thread(action: number): number {
    return this.words[action * ACTION_WORDS + A_THREAD]!;
  }
  access(action: number): number {
    return this.words[action * ACTION_WORDS + A_ACCESS]!;
  }
  address(action: number): number {
    return this.words[action * ACTION_WORDS + A_ADDRESS]!;
  }
  bytes(action: number): number {
    return this.words[action * ACTION_WORDS + A_SIZE]!;
  }
  own(action: number): number {
    return this.words[action * ACTION_WORDS + A_OWN]!;
  }
  second(action: number): number {
    return this.words[action * ACTION_WORDS + A_SECOND]!;
  }

  /** Whether the two are read-modify-writes of the same class on the same bytes. */
  commute(a: number, b: number): boolean {
    const { words } = this;
    const p = a * ACTION_WORDS;
    const q = b * ACTION_WORDS;
    const both = words[p + A_ACCESS]! & COMMUTES;
    if (both === 0 || both !== (words[q + A_ACCESS]! & COMMUTES)) return false;
    return words[p + A_ADDRESS] === words[q + A_ADDRESS] && words[p + A_SIZE] === words[q + A_SIZE];
  }

  /**
   * Whether two actions touch common bytes, one of them writes, and they do not commute. `forwarded`: one of them is a
   * load forwarded from its own buffer, which touches no memory.
   */
  conflict(a: number, b: number, forwarded: boolean): boolean {
    const { words } = this;
    const p = a * ACTION_WORDS;
    const q = b * ACTION_WORDS;
    if (words[p + A_THREAD] === words[q + A_THREAD]) return false;
    const access = words[p + A_ACCESS]! | words[q + A_ACCESS]!;
    if ((access & (WRITES | EXCLUDES_ALL)) === 0) return false;
    if (words[p + A_ACCESS] === 0 || words[q + A_ACCESS] === 0) return false;
    if ((access & EXCLUDES_ALL) !== 0) return true;
    if (forwarded) return false;
    const addressA = words[p + A_ADDRESS]!;
    const addressB = words[q + A_ADDRESS]!;
    if (addressA < addressB + words[q + A_SIZE]! && addressB < addressA + words[p + A_SIZE]!)
      return (words[p + A_ACCESS]! & COMMUTES) === 0 || !this.commute(a, b);
    const secondA = words[p + A_SECOND]!;
    const secondB = words[q + A_SECOND]!;
    if (secondA >= 0) {
      if (secondA >= addressB && secondA < addressB + words[q + A_SIZE]!) return true;
      if (secondA === secondB) return true;
    }
    return secondB >= 0 && secondB >= addressA && secondB < addressA + words[p + A_SIZE]!;
  }
}

function hash(step: number, access: number, address: number, size: number, own: number, second: number): number {
  let h = Math.imul(step ^ (access << 26), 0x9e3779b1);
  h = Math.imul(h ^ address ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ own ^ (size << 20) ^ (second << 4) ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
