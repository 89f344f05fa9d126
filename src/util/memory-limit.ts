/** When a list that grows with an execution no longer fits into memory, the search ends, not the process. */

/** 2 GiB for one list. */
const MAX_WORDS = 2 ** 29;

/** The code that catches it must drop the list that grew, and report that something was dropped. */
export class MemoryLimit extends Error {
  override readonly name = 'MemoryLimit';
}

/** This many words, all zero; throws `MemoryLimit` if there is no room. */
export function allocateWords(count: number): Int32Array<ArrayBuffer> {
  if (count > MAX_WORDS) throw new MemoryLimit(`${count} words for one list`);
  try {
    return new Int32Array(count);
  } catch (error) {
    // The system has no memory left.
    if (error instanceof RangeError) throw new MemoryLimit(error.message);
    throw error;
  }
}
