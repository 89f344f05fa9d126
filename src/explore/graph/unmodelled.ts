/**
 * What graphs do not model: accesses of different sizes to the same bytes, and the beginning or end of an object, that
 * nothing orders with the other access. Ordered ones are exact, since the machine runs them in their order.
 */
import * as op from '../../machine/code/opcodes.ts';
import type { GraphMemory } from '../../machine/memory/graph.ts';
import { type NextAccess, NO_ACCESS, READS_ONCE } from '../../machine/next-access.ts';
import { LIFETIME_KINDS } from '../../program/ir.ts';
import type { Consistency } from './consistency.ts';
import * as g from './fields.ts';
import type { Graph } from './graph.ts';
import { sharesBytes } from './races.ts';

export class Unmodelled {
  /** After `mixed`: how many writes of other sizes there are. */
  epoch = 0;
  private readonly graph: Graph;
  private readonly memory: GraphMemory;
  private readonly next: NextAccess;
  private readonly consistency: Consistency;

  constructor(graph: Graph, memory: GraphMemory, next: NextAccess, consistency: Consistency) {
    this.graph = graph;
    this.memory = memory;
    this.next = next;
    this.consistency = consistency;
  }

  /** What the thread's next operation comes after. */
  private before(thread: number): number {
    const { graph } = this;
    return graph.last[thread] === g.NONE ? graph.creator[thread]! : graph.last[thread]!;
  }

  /**
   * An access of another size that conflicts with the thread's next one without being ordered with it; NONE if there is
   * none. (If races are errors and one of them is not atomic, that is a race.) Leaves in `epoch` how many writes of other sizes
   * there are: they are before the next access and after some earlier ones of its location, which starts anew.
   */
  mixed(thread: number): number {
    const { graph, next, memory } = this;
    const { words } = graph;
    this.epoch = 0;
    const others = memory.overlapping(memory.location(next.address, next.size));
    if (others.length === 0) return g.NONE;
    const last = this.before(thread);
    const mayRace = this.consistency.forbidsRaces;
    const isAtomic = next.order >= g.FIRST_ATOMIC;
    for (let e = 0; e < graph.length; e++) {
      const kind = words[e * g.FIELDS + g.KIND];
      if ((kind !== g.READ && kind !== g.WRITE) || words[e * g.FIELDS + g.SIZE]! <= 0) continue;
      const number = memory.location(words[e * g.FIELDS + g.ADDRESS]!, words[e * g.FIELDS + g.SIZE]!);
      if (!others.includes(number)) continue;
      if (kind === g.WRITE) this.epoch++;
      if (kind === g.READ && next.access === READS_ONCE) continue;
      if (last !== g.NONE && graph.happensBefore(e, last)) {
        const isOwn = words[e * g.FIELDS + g.THREAD] === thread;
        if (!isOwn || kind === g.READ || this.consistency.hasReachedMemory(e)) continue;
      }
      if (!mayRace || (isAtomic && words[e * g.FIELDS + g.ORDER]! >= g.FIRST_ATOMIC)) return e;
    }
    return g.NONE;
  }

  /**
   * Where races are no errors: a use of memory, or of an object in it, whose beginning or end is the thread's next
   * operation; or the beginning or end of what the operation uses; if nothing orders the two. NONE if there is none.
   */
  lifetime(thread: number): number {
    const { graph, next } = this;
    const { words } = graph;
    const isLifetime = this.matters(next.operation, next.low);
    if (this.consistency.forbidsRaces || (!isLifetime && next.access === NO_ACCESS)) return g.NONE;
    const last = this.before(thread);
    for (let e = 0; e < graph.length; e++) {
      const [kind, size] = [words[e * g.FIELDS + g.KIND]!, words[e * g.FIELDS + g.SIZE]!];
      const isOther = isLifetime ? kind === g.READ || kind === g.WRITE : kind === g.LIFETIME;
      if (size === 0 || !isOther) continue;
      if (!isLifetime && !this.matters(words[e * g.FIELDS + g.OPERATION]!, words[e * g.FIELDS + g.LOW]!)) continue;
      const start = words[e * g.FIELDS + g.ADDRESS]!;
      if (!sharesBytes(next.address, next.size || g.OBJECT, start, size)) continue;
      if (last === g.NONE || !graph.happensBefore(e, last)) return e;
    }
    return g.NONE;
  }

  /**
   * Whether uses must be ordered with it. Freed memory cannot be accessed. The library looks at the marks of initialised
   * objects without an event, and with a buffer per location they may come late. Nothing else can be told from a graph.
   */
  private matters(operation: number, how: number): boolean {
    if (operation !== op.LIFETIME) return operation === op.FREE;
    return this.consistency.reordersStores && LIFETIME_KINDS[how] === 'initialised';
  }
}
