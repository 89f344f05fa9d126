/**
 * Vectors over many threads, as trees that share equal parts: a tree has 65,536 entries and four levels of nodes with
 * 16 children each; the bottom nodes hold the entries. A tree is the number of its root; node 0 is the tree of zeros. A
 * join descends only where two trees differ, and threads know most of what they know from each other.
 *
 * Nodes are immutable, except those that the caller of a change declares its own: all from number `owned` on.
 */
import { larger } from '../util/int-vector.ts';
import { allocateWords } from '../util/memory-limit.ts';

const BITS = 4;
const FAN = 1 << BITS;
const TOP = 3 * BITS;

/** How many threads a tree has room for. */
export const MAX_TREE_THREADS: number = 1 << (TOP + BITS);

export class ClockTrees {
  /** Children of the nodes, or entries. */
  private words = new Int32Array(FAN * 64);
  /** Nodes in use. */
  end = 1;
  /** Per level: the children of the node being made. */
  private readonly drafts = Array.from({ length: 4 }, () => new Int32Array(FAN));

  get(root: number, thread: number): number {
    const { words } = this;
    let node = root;
    for (let shift = TOP; shift >= 0; shift -= BITS) node = words[node * FAN + ((thread >> shift) & (FAN - 1))]!;
    return node;
  }

  /** The root of the tree with this entry changed. */
  set(root: number, thread: number, value: number, owned: number): number {
    return this.setBelow(root, TOP, thread, value, owned);
  }

  private setBelow(node: number, shift: number, thread: number, value: number, owned: number): number {
    const child = (thread >> shift) & (FAN - 1);
    const next =
      shift === 0 ? value : this.setBelow(this.words[node * FAN + child]!, shift - BITS, thread, value, owned);
    if (this.words[node * FAN + child] === next) return node;
    const changed = node !== 0 && node >= owned ? node : this.copyOf(node);
    this.words[changed * FAN + child] = next;
    return changed;
  }

  private copyOf(node: number): number {
    this.makeRoom();
    this.words.copyWithin(this.end * FAN, node * FAN, (node + 1) * FAN);
    return this.end++;
  }

  private makeRoom(): void {
    if ((this.end + 1) * FAN > this.words.length) this.words = larger(this.words);
  }

  /** The root of the tree with the maximum of both entries. */
  join(a: number, b: number): number {
    return this.joinBelow(a, b, TOP);
  }

  /** If both are equal, returns `b`, so that a thread that learns from one source comes to share its nodes. */
  private joinBelow(a: number, b: number, shift: number): number {
    if (a === b || a === 0) return b;
    if (b === 0) return a;
    const draft = this.drafts[shift / BITS]!;
    let isA = true;
    let isB = true;
    for (let i = 0; i < FAN; i++) {
      const x = this.words[a * FAN + i]!;
      const y = this.words[b * FAN + i]!;
      const joined = shift > 0 ? this.joinBelow(x, y, shift - BITS) : x > y ? x : y;
      if (joined !== x) isA = false;
      if (joined !== y) isB = false;
      draft[i] = joined;
    }
    if (isB) return b;
    if (isA) return a;
    this.makeRoom();
    this.words.set(draft, this.end * FAN);
    return this.end++;
  }

  /** Whether `holds` is true for some entry that is not zero. */
  some(root: number, holds: (thread: number, value: number) => boolean): boolean {
    return this.someBelow(root, TOP, 0, holds);
  }

  private someBelow(node: number, shift: number, first: number, holds: (thread: number, value: number) => boolean) {
    if (node === 0) return false;
    for (let i = 0; i < FAN; i++) {
      const below = this.words[node * FAN + i]!;
      if (below === 0) continue;
      const thread = first + (i << shift);
      if (shift === 0 ? holds(thread, below) : this.someBelow(below, shift - BITS, thread, holds)) return true;
    }
    return false;
  }

  /** Lowers `limits[q]` to the least entry q of the trees, minus `less`. */
  lower(limits: Int32Array, roots: readonly number[], less: number): void {
    this.lowerBelow(limits, new Set(roots), TOP, 0, less);
  }

  private lowerBelow(limits: Int32Array, nodes: ReadonlySet<number>, shift: number, first: number, less: number): void {
    for (let i = 0; i < FAN; i++) {
      const thread = first + (i << shift);
      if (thread >= limits.length) return;
      if (shift > 0) {
        const below = new Set<number>();
        for (const node of nodes) below.add(this.words[node * FAN + i]!);
        this.lowerBelow(limits, below, shift - BITS, thread, less);
        continue;
      }
      for (const node of nodes) limits[thread] = Math.min(limits[thread]!, this.words[node * FAN + i]! - less);
    }
  }

  /** Drops all nodes except those of these trees, and replaces the numbers of their roots by the new ones. */
  keep(roots: Int32Array, count: number): void {
    /** By node: its level, counted from 1; then its new number. */
    const numbers = allocateWords(this.end);
    const mark = (node: number, shift: number): void => {
      if (node === 0 || numbers[node] !== 0) return;
      numbers[node] = shift / BITS + 1;
      if (shift > 0) for (let i = 0; i < FAN; i++) mark(this.words[node * FAN + i]!, shift - BITS);
    };
    for (let i = 0; i < count; i++) mark(roots[i]!, TOP);
    const old = this.words;
    const levels = numbers.slice();
    let end = 1;
    for (let node = 1; node < numbers.length; node++) if (numbers[node] !== 0) numbers[node] = end++;
    this.words = allocateWords(Math.max(FAN * 64, 2 ** Math.ceil(Math.log2((end + 1) * FAN))));
    for (let node = 1; node < numbers.length; node++) {
      if (levels[node] === 0) continue;
      for (let i = 0, to = numbers[node]! * FAN; i < FAN; i++) {
        const below = old[node * FAN + i]!;
        this.words[to + i] = levels[node]! > 1 ? numbers[below]! : below;
      }
    }
    this.end = end;
    for (let i = 0; i < count; i++) roots[i] = numbers[roots[i]!]!;
  }
}
