/** A growable list of 32-bit integers, reused instead of reallocated. */
export class IntVector {
  words: Int32Array = new Int32Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.words.length) {
      const larger = new Int32Array(this.words.length * 2);
      larger.set(this.words);
      this.words = larger;
    }
    this.words[this.length++] = value;
  }

  get(index: number): number {
    return this.words[index]!;
  }

  clear(): void {
    this.length = 0;
  }

  /** The contents as a string: equal strings, equal contents. For use as a key, not for reading. */
  toKey(): string {
    const halves = new Uint16Array(this.words.buffer, 0, this.length * 2);
    let key = '';
    // Few enough arguments at a time not to overflow the stack.
    for (let at = 0; at < halves.length; at += 4096) {
      key += String.fromCharCode.apply(null, halves.subarray(at, at + 4096) as unknown as number[]);
    }
    return key;
  }
}
