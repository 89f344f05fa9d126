/**
 * Of each store: the later stores of its thread that overlap it, as far as that matters. Stores of the same bytes reach
 * memory in program order, so if a later one has, so has the earlier one, and with it the bytes that only it wrote. A store
 * that is covered entirely has no such bytes, but may itself stay behind one that has.
 */
import { IntVector } from '../util/int-vector.ts';

const L_STORE = 0;
const L_NEXT = 1;
const L_UNDER = 2;
const LINK_WORDS = 3;

export class Overlaps {
  private readonly links = new IntVector();
  /** Per event: its first link, 0 if there is none; 1 if it overlaps an earlier one; the end of the links before it. */
  private readonly heads = new IntVector();
  private readonly isOver = new IntVector();
  private readonly ends = new IntVector();

  constructor() {
    // Link 0 is none.
    for (let i = 0; i < LINK_WORDS; i++) this.links.push(0);
  }

  /** Called for every event. */
  begin(event: number): void {
    if (event !== this.heads.length) throw new Error('events must be observed one after the other');
    this.heads.push(0);
    this.isOver.push(0);
    this.ends.push(this.links.length);
  }

  /** `store` overlaps the earlier store `under`, and covers it if `covers`. */
  add(store: number, under: number, covers: boolean): void {
    if (covers && this.isOver.get(under) === 0) return;
    const { links } = this;
    const link = links.length;
    links.push(store);
    links.push(this.heads.get(under));
    links.push(under);
    this.heads.words[under] = link;
    this.isOver.words[store] = 1;
  }

  first(store: number): number {
    return this.heads.get(store);
  }
  next(link: number): number {
    return this.links.get(link + L_NEXT);
  }
  store(link: number): number {
    return this.links.get(link + L_STORE);
  }

  rollback(depth: number): void {
    const { links, heads } = this;
    const end = this.ends.get(depth);
    for (let link = links.length - LINK_WORDS; link >= end; link -= LINK_WORDS) {
      heads.words[links.get(link + L_UNDER)] = links.get(link + L_NEXT);
    }
    links.length = end;
    heads.length = depth;
    this.isOver.length = depth;
    this.ends.length = depth;
  }
}
