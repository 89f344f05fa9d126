/**
 * Adds the next event of a thread's operation to the graph, and a frame with the other ways of adding it: the cases of
 * VISIT in [TRUST] Alg. 1.
 */
import * as op from '../../machine/code/opcodes.ts';
import { RELEASE } from '../../machine/code/order.ts';
import type { Machine } from '../../machine/machine.ts';
import type { GraphMemory } from '../../machine/memory/graph.ts';
import { type NextAccess, READS_THEN_WRITES } from '../../machine/next-access.ts';
import { T_CHILDREN } from '../../machine/state/layout.ts';
import { IntVector } from '../../util/int-vector.ts';
import type { Consistency } from './consistency.ts';
import type { EventMaker, EventMakerParts } from './event-maker.ts';
import * as g from './fields.ts';
import { F_WAYS, READ_FRAME, WRITE_FRAME } from './frames.ts';
import type { Graph } from './graph.ts';
import type { LockWaits } from './lock-waits.ts';
import { isObject, type Log } from './log.ts';
import { canRevisit, findRevisits } from './maximality.ts';
import type { Ways } from './ways.ts';

/** In place of a choice: not made yet. */
export const UNDECIDED: number = -1;

interface AdderParts extends Omit<EventMakerParts, 'unmodelled'> {
  readonly maker: EventMaker;
  readonly ways: Ways;
  readonly consistency: Consistency;
  readonly lockWaits: LockWaits | undefined;
  /** Whether to leave out read-modify-writes whose write would have no place: `rivalOf`. */
  readonly knowsRivals: boolean;
}

export class Adder {
  private readonly machine: Machine;
  private readonly memory: GraphMemory;
  private readonly next: NextAccess;
  private readonly graph: Graph;
  private readonly log: Log;
  private readonly maker: EventMaker;
  private readonly ways: Ways;
  private readonly consistency: Consistency;
  private readonly lockWaits: LockWaits | undefined;
  private readonly knowsRivals: boolean;
  private readonly reads = new IntVector();
  /** After `readValue`: the value. */
  low = 0;
  high = 0;

  constructor({ machine, memory, next, graph, log, maker, ways, consistency, lockWaits, knowsRivals }: AdderParts) {
    this.machine = machine;
    this.memory = memory;
    this.next = next;
    this.graph = graph;
    this.log = log;
    this.maker = maker;
    this.ways = ways;
    this.consistency = consistency;
    this.lockWaits = lockWaits;
    this.knowsRivals = knowsRivals;
  }

  /** Sets `low` and `high` to what the read reads. */
  readValue(read: number): void {
    const { graph } = this;
    const source = graph.get(read, g.SOURCE);
    if (source >= 0) {
      this.low = graph.get(source, g.LOW);
      this.high = graph.get(source, g.HIGH);
    } else this.readInitial(graph.get(read, g.LOCATION));
  }

  private readInitial(location: number): void {
    const { graph, machine, memory, next } = this;
    this.low = 0;
    this.high = 0;
    if (isObject(location)) return;
    const newest = graph.newest[location]!;
    let count = 0;
    for (let w = newest; w !== g.NONE; w = graph.get(w, g.OLDER)) if (graph.get(w, g.STATUS) === g.DONE) count++;
    memory.read(next.address, next.size, count);
    this.low = machine.state.low;
    this.high = machine.state.high;
  }

  /** Adds the read with its first source; the others become ways to try later. */
  addRead(slot: number, part: number): void {
    const { graph, next, consistency } = this;
    const { made } = this.maker;
    const { frames } = this.ways;
    this.maker.make(slot, g.READ, part);
    const location = made[g.LOCATION]!;
    next.expect();
    made[g.LOW] = next.low;
    made[g.HIGH] = next.high;
    made[g.FAILURE] = next.failureOrder;
    made[g.SUCCESS] = next.order;
    this.readInitial(location);
    if (next.failureOrder !== g.NONE) {
      made[g.MATCHES] = (next.operation === op.TRYLOCK ? this.low === 0 : next.writes(this.low, this.high)) ? 1 : 0;
    }
    const [initialLow, initialHigh] = [this.low, this.high];
    const newest = graph.newest[location]!;
    // The newest write may always be read. Anything older than a write that happens before the read may not, under any
    // model.
    made[g.SOURCE] = newest;
    if (newest === g.NONE || this.ways.isBehind(made[g.THREAD]!, newest)) {
      graph.push(made, 0);
      return;
    }
    frames.push(READ_FRAME, graph.length, this.log.length, made, 0);
    frames.ways.push(newest);
    for (let source = newest; source !== g.NONE && !this.ways.isBehind(made[g.THREAD]!, source); ) {
      source = graph.get(source, g.OLDER);
      made[g.SOURCE] = source;
      // A read that blocks is useful only if it may be revisited, that is, if it reads the newest write.
      if (next.waits(source < 0 ? initialLow : graph.get(source, g.LOW))) continue;
      const read = graph.push(made, 0);
      if (!this.isDeadEnd(read, initialLow, initialHigh) && consistency.admits(read)) frames.ways.push(source);
      graph.pop();
    }
    this.ways.settle();
    this.ways.takeFirst();
  }

  /**
   * The read x of another read-modify-write that has already read this source, and written; NONE if there is none. When
   * a second read-modify-write of the same source adds its write W, W must revisit x, or a read before x, so that x is
   * deleted. Suppose that W revisits a read r after x. Then either the other write stays, and one of the two does not
   * directly follow what it read; or only x stays, and will write. W is never deleted, since r, which was added before
   * it, reads it; so x is not deleted or revisited either, since it would not have been added maximally. So one of the
   * two writes has no place.
   */
  private rivalOf(source: number, location: number): number {
    const { graph } = this;
    if (!this.knowsRivals) return g.NONE;
    const newer = source >= 0 ? graph.get(source, g.NEWER) : this.ways.oldest(location);
    const isRead = newer !== g.NONE && graph.isUpdate(newer) && graph.sourceOf(newer) === source;
    return isRead ? graph.get(newer, g.PREVIOUS) : g.NONE;
  }

  /**
   * Whether the read, which is the newest event, belongs to a read-modify-write that will have no place for its write.
   */
  private isDeadEnd(read: number, initialLow: number, initialHigh: number): boolean {
    const { graph, next } = this;
    const { made } = this.maker;
    if (next.access !== READS_THEN_WRITES) return false;
    const source = graph.get(read, g.SOURCE);
    const rival = this.rivalOf(source, graph.get(read, g.LOCATION));
    if (rival === g.NONE) return false;
    const writes =
      source >= 0
        ? next.writes(graph.get(source, g.LOW), graph.get(source, g.HIGH))
        : next.writes(initialLow, initialHigh);
    if (!writes) return false;
    made[g.KIND] = g.WRITE;
    made[g.PART] = 1;
    const write = graph.push(made, 0);
    const isDead = !canRevisit(graph, write, rival);
    graph.pop();
    made[g.KIND] = g.READ;
    made[g.PART] = 0;
    return isDead;
  }

  /** Adds the write at its first place; false if it has none, and the execution ends. */
  addWrite(slot: number, part: number): boolean {
    const { graph, next, reads } = this;
    const { made } = this.maker;
    const { frames } = this.ways;
    if (part === 0) next.writes(0, 0);
    const { low, high } = next;
    this.maker.make(slot, g.WRITE, part);
    made[g.LOW] = low;
    made[g.HIGH] = high;
    if (part > 0) made[g.ORDER] = part === 3 ? RELEASE : this.orderOfUpdate();
    if (next.operation === op.SIGNAL) made[g.CHOICE] = UNDECIDED;
    frames.push(WRITE_FRAME, graph.length, this.log.length, made, 0);
    this.ways.findPlaces();
    // The reads that it may revisit do not depend on its place.
    const rival =
      part > 0 ? this.rivalOf(graph.get(graph.last[made[g.THREAD]!]!, g.SOURCE), made[g.LOCATION]!) : g.NONE;
    const write = graph.push(made, 0);
    reads.clear();
    findRevisits(graph, write, reads);
    const waiting = this.lockWaits?.firstFor(write) ?? g.NONE;
    if (waiting !== g.NONE && this.lockWaits?.isForEver(waiting, write)) frames.ways.length = frames.get(F_WAYS);
    for (let i = 0; i < reads.length; i++) {
      const read = reads.get(i);
      const isOfUse = (rival === g.NONE || read <= rival) && (waiting === g.NONE || read === waiting);
      if (isOfUse) frames.ways.push(-2 - read);
    }
    this.ways.settle();
    if (this.ways.first === g.NONE) {
      this.ways.keepFirst();
      return true;
    }
    graph.pop();
    return this.ways.takeFirst();
  }

  /** The order of a read-modify-write that writes. */
  private orderOfUpdate(): number {
    const { next, graph } = this;
    const { made } = this.maker;
    return next.operation === op.TRYLOCK ? graph.get(graph.last[made[g.THREAD]!]!, g.ORDER) : next.order;
  }

  /** Adds an event that neither reads nor writes. */
  addOther(slot: number): void {
    const { next, graph, machine } = this;
    const { made } = this.maker;
    switch (next.operation) {
      case op.FENCE:
        this.maker.make(slot, g.FENCE, 0);
        break;
      case op.SPAWN: {
        this.maker.make(slot, g.SPAWN, 0);
        const child = machine.processes.childSlot(slot, machine.threads.get(slot, T_CHILDREN) + 1);
        made[g.EXTRA] = child < 0 ? g.NONE : this.maker.threadOf(child);
        if (child < 0) made[g.KIND] = g.OTHER;
        break;
      }
      case op.JOIN:
        this.maker.make(slot, g.JOIN, 0);
        break;
      case op.CHOOSE:
        this.maker.make(slot, g.CHOOSE, 0);
        made[g.CHOICE] = UNDECIDED;
        break;
      case op.FREE:
      case op.LIFETIME:
        this.maker.make(slot, g.LIFETIME, 0);
        if (next.operation === op.LIFETIME) made[g.LOW] = next.low;
        break;
      default:
        this.maker.make(slot, g.OTHER, 0);
    }
    if (next.operation !== op.FENCE) made[g.ORDER] = 0;
    graph.push(made, 0);
  }
}
