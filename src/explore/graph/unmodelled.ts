/**
 * What graphs do not model: accesses of different sizes to the same bytes, and the beginning or end of an object and an
 * access to it, if nothing orders the two (ordered ones are exact, since the machine runs them in that order); some
 * operations; and a thread that ends in an atomic section, unless it is main.
 */
import * as op from '../../machine/code/opcodes.ts';
import type { Machine } from '../../machine/machine.ts';
import type { GraphMemory } from '../../machine/memory/graph.ts';
import { type NextAccess, NO_ACCESS, READS_ONCE } from '../../machine/next-access.ts';
import { FINISHED, H_ATOMIC, T_STATUS } from '../../machine/state/layout.ts';
import { LIFETIME_KINDS } from '../../program/ir.ts';
import type { Consistency } from './consistency.ts';
import * as g from './fields.ts';
import type { Graph } from './graph.ts';
import { sharesBytes } from './races.ts';

export const MIXED = 'accesses of different sizes that nothing orders';
export const UNORDERED_LIFETIME = 'the beginning or end of an object that nothing orders with an access';
const UNENDED_SECTION = 'a thread that ends in an atomic section';
const SECTION = 'an atomic section';
const WIDE = 'an atomic access of 16 bytes';
const MEMBARRIER = 'membarrier';
const PARTIAL = 'a barrier that orders less than the fences of C11';

export class Unmodelled {
  /** After `mixed`: how many writes of other sizes there are. */
  epoch = 0;
  private readonly machine: Machine;
  private readonly graph: Graph;
  private readonly memory: GraphMemory;
  private readonly next: NextAccess;
  private readonly consistency: Consistency;

  constructor(machine: Machine, graph: Graph, memory: GraphMemory, next: NextAccess, consistency: Consistency) {
    this.machine = machine;
    this.graph = graph;
    this.memory = memory;
    this.next = next;
    this.consistency = consistency;
  }

  /** What is not modelled about the thread's next operation, whatever other threads do. */
  operation(slot: number): string | undefined {
    switch (this.next.operation) {
      case op.BEGINATOMIC:
        // Where a section excludes all other threads, that is more than a graph can express.
        if (!this.consistency.forbidsRaces) return SECTION;
        return this.isAccess(slot) ? WIDE : undefined;
      case op.DRAIN:
        return MEMBARRIER;
      case op.FENCE:
        return this.isNoFenceOfC(slot) ? PARTIAL : undefined;
      default:
        return undefined;
    }
  }

  /**
   * What is not modelled about an execution that ends here. On a machine, all threads wait from where another has ended
   * in its section; a graph does not say what they have done before. If main returned from its section, nobody waits:
   * the process has ended. (The graph then also has what others could have done meanwhile, outside of sections.)
   */
  ending(): string | undefined {
    const { threads, state, outcome, mainHasReturned } = this.machine;
    const inside = state.words[H_ATOMIC]! - 1;
    const isMain = inside === 0 && mainHasReturned;
    const isEnded = inside >= 0 && !isMain && threads.get(inside, T_STATUS) === FINISHED;
    return isEnded && outcome === 'complete' ? UNENDED_SECTION : undefined;
  }

  /** An access that processors make in one piece. As a section it would order more than it does in C11. */
  private isAccess(slot: number): boolean {
    const { machine } = this;
    const instruction = machine.code.sites[machine.upcoming.nextSite(slot)]?.instruction;
    return instruction?.op === 'beginatomic' && instruction.isAccess === true;
  }

  /** A processor's barrier that orders less than C's fences do; store-buffer models know what it orders. */
  private isNoFenceOfC(slot: number): boolean {
    const { machine } = this;
    const instruction = machine.code.sites[machine.upcoming.nextSite(slot)]?.instruction;
    return this.consistency.forbidsRaces && instruction?.op === 'fence' && instruction.partial === true;
  }

  /** What the thread's next operation comes after. */
  private before(thread: number): number {
    const { graph } = this;
    return graph.last[thread] === g.NONE ? graph.creator[thread]! : graph.last[thread]!;
  }

  /**
   * An access of another size that conflicts with the thread's next one without being ordered with it; NONE if there is
   * none. (If races are errors and one of them is not atomic, that is a race.) Sets `epoch` to the number of writes of
   * other sizes: they come before the next access and after some earlier ones of its location, whose history starts
   * over.
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
   * Where races are not errors: a use of memory, or of an object in it, whose beginning or end is the thread's next
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
   * Whether uses must be ordered with this operation. Freed memory cannot be accessed. The library reads the marks of
   * initialised objects without making events, and with one buffer per location the marks may reach memory late.
   * Nothing else makes a difference in a graph.
   */
  private matters(operation: number, how: number): boolean {
    if (operation !== op.LIFETIME) return operation === op.FREE;
    return this.consistency.reordersStores && LIFETIME_KINDS[how] === 'initialised';
  }
}
