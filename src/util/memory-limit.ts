/** Lists that grow with an execution end the search, and not the process, when they no longer fit into memory. */

/** 2 GiB for one list. */
const MAX_WORDS = 2 ** 29;

/** Whoever catches it gives up what grew, and says that something was given up. */
export class MemoryLimit extends Error {
  override readonly name = 'MemoryLimit';
}

/** So many words, all zero; throws `MemoryLimit` if that is too much. */
export function allocateWords(count: number): Int32Array<ArrayBuffer> {
  if (count > MAX_WORDS) throw new MemoryLimit(`${count} words for one list`);
  try {
    return new Int32Array(count);
  } catch (error) {
    // The system has no more.
    if (error instanceof RangeError) throw new MemoryLimit(error.message);
    throw error;
  }
}
