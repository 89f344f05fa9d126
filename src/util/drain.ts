/** Work that is done a piece at a time, each piece with about what it cost in steps; in between, who drives it may stop. */
export type Pieces<T = void> = Generator<number, T, void>;

/** Does it all. */
export function drain<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}
