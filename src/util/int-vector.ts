import { allocateWords } from './memory-limit.ts';

const EMPTY = new Uint8Array(0);

/** A growable list of 32-bit integers, reused instead of reallocated. */
export class IntVector {
  words: Int32Array = new Int32Array(64);
  length = 0;
  private bytes = EMPTY;

  push(value: number): void {
    if (this.length === this.words.length) {
      const larger = allocateWords(this.words.length * 2);
      larger.set(this.words);
      this.words = larger;
    }
    this.words[this.length++] = value;
  }

  /** Appends the words of `from` from `start` to before `end`. */
  append(from: Int32Array, start: number, end: number): void {
    const at = this.extend(end - start);
    // A few words are copied faster one by one.
    if (end - start > 64) this.words.set(from.subarray(start, end), at);
    else for (let i = start, to = at; i < end; i++, to++) this.words[to] = from[i]!;
  }

  /** Makes it longer, without setting the new words; returns where they begin. */
  extend(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.words.length) {
      const larger = allocateWords(Math.max(this.words.length * 2, this.length));
      larger.set(this.words);
      this.words = larger;
    }
    return at;
  }

  get(index: number): number {
    return this.words[index]!;
  }

  clear(): void {
    this.length = 0;
  }

  /**
   * The contents as a string, for use as a key: equal strings, equal contents. Small numbers take one character each
   * (zigzag, then seven bits at a time), and no character is above 255, so that engines store it in one byte.
   */
  toKey(): string {
    if (this.bytes.length < this.length * 5) this.bytes = new Uint8Array(this.length * 10);
    const { words, bytes } = this;
    let end = 0;
    for (let i = 0; i < this.length; i++) {
      const value = words[i]!;
      let rest = ((value << 1) ^ (value >> 31)) >>> 0;
      while (rest > 0x7f) {
        bytes[end++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      bytes[end++] = rest;
    }
    let key = '';
    // Only a few arguments at a time, to avoid a stack overflow.
    for (let at = 0; at < end; at += 4096) {
      key += String.fromCharCode.apply(null, bytes.subarray(at, Math.min(end, at + 4096)) as unknown as number[]);
    }
    return key;
  }
}

/** A copy of twice the length; new words are `fill`. */
export function larger(words: Int32Array, fill = 0): Int32Array<ArrayBuffer> {
  const result = allocateWords(words.length * 2);
  result.set(words);
  if (fill !== 0) result.fill(fill, words.length);
  return result;
}
