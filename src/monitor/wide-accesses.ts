/**
 * The effect of accesses to many words, at a cost that depends on what is known about that memory, not on its size. A
 * *piece* is an interval of words inside which no wide access begins or ends. It has one list of accesses, which is the
 * history of every word in it that only wide accesses have touched. A word that a smaller access has touched is
 * *known*: it has its own list, which begins with a copy of its piece's list, and wide accesses are added to it
 * too.
 *
 * Cannot roll back; for logs, which never do.
 */
import type { AccessLists } from '../trace/access-lists.ts';

/** Accesses of more words than this are wide. */
export const WIDE_WORDS = 512;

/** No wide access crosses a multiple of 2 to this power, in words. */
const BLOCK_BITS = 18;
const BLOCK_WORDS = 1 << BLOCK_BITS;
/** The keys of the pieces' lists begin here, above all words. */
const FIRST_KEY = 2 ** 29;

interface Piece {
  readonly start: number;
  end: number;
  readonly list: number;
}

interface Block {
  /** Ascending, without overlaps. */
  readonly pieces: Piece[];
  /** One bit per word: whether it is known. */
  readonly known: Uint32Array;
}

export class WideAccesses {
  private readonly lists: AccessLists;
  private readonly threadOf: (event: number) => number;
  private readonly blocks = new Map<number, Block>();
  private keys = 0;

  /** Existing lists must belong to known words, or to no words at all. */
  constructor(lists: AccessLists, threadOf: (event: number) => number) {
    this.lists = lists;
    this.threadOf = threadOf;
    for (let list = 0; list < lists.size; list++) if (lists.word(list) >= 0) this.setKnown(lists.word(list));
  }

  /** The word, which was not known before, now has `list`. */
  know(word: number, list: number): void {
    this.setKnown(word);
    const { pieces } = this.blockOf(word);
    const piece = pieces[lastUpTo(pieces, word)];
    if (piece !== undefined && word < piece.end) this.lists.copyWhole(piece.list, list, this.threadOf);
  }

  /** Calls `touch` for the lists of all words from `start` to before `end`, each once, in the order of the words. */
  visit(start: number, end: number, touch: (list: number) => void): void {
    const { known } = this.blockOf(start);
    const pieces = this.cover(start, end);
    let next = 0;
    for (const piece of pieces) {
      const first = this.firstUnknown(known, piece);
      next = this.visitKnown(known, Math.max(next, piece.start), Math.min(first, piece.end), touch);
      if (first < piece.end) touch(piece.list);
      next = this.visitKnown(known, Math.max(next, piece.start), piece.end, touch);
    }
  }

  /** The pieces that make up the interval, created as needed. */
  private cover(start: number, end: number): readonly Piece[] {
    const { pieces } = this.blockOf(start);
    this.split(pieces, start);
    this.split(pieces, end);
    const from = lastUpTo(pieces, start - 1) + 1;
    const inside: Piece[] = [];
    let at = start;
    let n = from;
    for (; n < pieces.length && pieces[n]!.start < end; n++) {
      const piece = pieces[n]!;
      if (at < piece.start) inside.push(this.makePiece(at, piece.start));
      inside.push(piece);
      at = piece.end;
    }
    if (at < end) inside.push(this.makePiece(at, end));
    if (inside.length === n - from) return inside;
    const behind = pieces.slice(n);
    pieces.length = from;
    for (const piece of inside) pieces.push(piece);
    for (const piece of behind) pieces.push(piece);
    return inside;
  }

  /** Splits a piece at the word. */
  private split(pieces: Piece[], word: number): void {
    const place = lastUpTo(pieces, word);
    const piece = pieces[place];
    if (piece === undefined || piece.start === word || piece.end <= word) return;
    const rest = this.makePiece(word, piece.end);
    this.lists.copyWhole(piece.list, rest.list, this.threadOf);
    piece.end = word;
    pieces.splice(place + 1, 0, rest);
  }

  private makePiece(start: number, end: number): Piece {
    return { start, end, list: this.lists.list(FIRST_KEY + this.keys++) };
  }

  private blockOf(word: number): Block {
    let block = this.blocks.get(word >> BLOCK_BITS);
    if (block === undefined) {
      block = { pieces: [], known: new Uint32Array(BLOCK_WORDS >> 5) };
      this.blocks.set(word >> BLOCK_BITS, block);
    }
    return block;
  }

  private setKnown(word: number): void {
    const { known } = this.blockOf(word);
    known[(word & (BLOCK_WORDS - 1)) >> 5]! |= 1 << (word & 31);
  }

  /** The first word of the piece that is not known; its end if all are. */
  private firstUnknown(known: Uint32Array, { start, end }: Piece): number {
    for (let word = start; word < end; ) {
      const unknown = ~known[(word & (BLOCK_WORDS - 1)) >> 5]! >>> (word & 31);
      if (unknown !== 0) return Math.min(end, word + trailingZeros(unknown));
      word = (word | 31) + 1;
    }
    return end;
  }

  /** Visits known words from `start` to before `end`, and returns `end`. */
  private visitKnown(known: Uint32Array, start: number, end: number, touch: (list: number) => void): number {
    for (let word = start; word < end; ) {
      const bits = known[(word & (BLOCK_WORDS - 1)) >> 5]! >>> (word & 31);
      if (bits === 0) {
        word = (word | 31) + 1;
        continue;
      }
      word += trailingZeros(bits);
      if (word < end) touch(this.lists.list(word));
      word++;
    }
    return Math.max(start, end);
  }
}

/** The index of the last piece that begins at the word or before it; -1 if there is none. */
function lastUpTo(pieces: readonly Piece[], word: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle]!.start <= word) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function trailingZeros(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
