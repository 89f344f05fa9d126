/**
 * For each store: the later stores of its thread that overlap it, as far as they matter. Stores to the same bytes reach
 * memory in program order. So if a later one has reached memory, so has the earlier one, including the bytes that only
 * it wrote. A store that is entirely covered has no such bytes, but may itself stay behind one that has.
 */
import { IntVector, larger } from '../util/int-vector.ts';
import { allocateWords } from '../util/memory-limit.ts';

const L_STORE = 0;
const L_NEXT = 1;
const L_UNDER = 2;
const LINK_WORDS = 3;

export class Overlaps {
  private readonly links = new IntVector();
  /** Per store: its first link, 0 if there is none; and 1 if it overlaps an earlier store. */
  private heads = new Int32Array(64);
  private isOver = new Int32Array(64);

  constructor() {
    // Link 0 means none.
    for (let i = 0; i < LINK_WORDS; i++) this.links.push(0);
  }

  /** Call for every store. */
  begin(store: number): void {
    while (store >= this.heads.length) {
      this.heads = larger(this.heads);
      this.isOver = larger(this.isOver);
    }
    this.heads[store] = 0;
    this.isOver[store] = 0;
  }

  /** `store` overlaps the earlier store `under`, and covers it if `covers`. */
  add(store: number, under: number, covers: boolean): void {
    if (covers && this.isOver[under] === 0) return;
    const { links } = this;
    const link = links.length;
    links.push(store);
    links.push(this.heads[under]!);
    links.push(under);
    this.heads[under] = link;
    this.isOver[store] = 1;
  }

  first(store: number): number {
    return this.heads[store]!;
  }
  next(link: number): number {
    return this.links.get(link + L_NEXT);
  }
  store(link: number): number {
    return this.links.get(link + L_STORE);
  }

  /** As in `Forgetful` in `monitor.ts`. Everything that the links of kept stores lead to is kept too. */
  renumber(kept: Int32Array, numbers: Int32Array): void {
    const old = { links: this.links.words.slice(0, this.links.length), heads: this.heads, isOver: this.isOver };
    this.links.length = LINK_WORDS;
    this.heads = allocateWords(old.heads.length);
    this.isOver = allocateWords(old.isOver.length);
    const isKept = (event: number): boolean => kept[numbers[event]!] === event;
    for (let link = LINK_WORDS; link < old.links.length; link += LINK_WORDS) {
      const under = old.links[link + L_UNDER]!;
      if (!isKept(under)) continue;
      const now = this.links.length;
      this.links.push(numbers[old.links[link + L_STORE]!]!);
      this.links.push(this.heads[numbers[under]!]!);
      this.links.push(numbers[under]!);
      this.heads[numbers[under]!] = now;
    }
    for (let to = 0; to < kept.length; to++) this.isOver[to] = old.isOver[kept[to]!] ?? 0;
  }

  rollback(depth: number): void {
    const { links, heads } = this;
    while (links.length > LINK_WORDS && this.store(links.length - LINK_WORDS) >= depth) {
      links.length -= LINK_WORDS;
      heads[links.get(links.length + L_UNDER)] = links.get(links.length + L_NEXT);
    }
  }
}
