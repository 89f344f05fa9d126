/**
 * The next event of a thread's operation, as the words that `Graph.push` takes; and the numbers that threads, locations
 * and objects have in the graph.
 */
import * as op from '../../machine/code/opcodes.ts';
import { RELEASE } from '../../machine/code/order.ts';
import { wakerOf } from '../../machine/events/waker.ts';
import type { Machine } from '../../machine/machine.ts';
import type { GraphMemory } from '../../machine/memory/graph.ts';
import { type NextAccess, READS_THEN_WRITES, WAITS_ON_CONDITION } from '../../machine/next-access.ts';
import * as g from './fields.ts';
import type { Graph } from './graph.ts';
import type { Log } from './log.ts';
import type { Unmodelled } from './unmodelled.ts';

/** More than the writes of any execution. */
const MAX_EPOCHS = 1 << 17;

export interface EventMakerParts {
  readonly machine: Machine;
  readonly memory: GraphMemory;
  readonly next: NextAccess;
  readonly graph: Graph;
  readonly log: Log;
  readonly unmodelled: Unmodelled;
}

export class EventMaker {
  private readonly machine: Machine;
  private readonly memory: GraphMemory;
  private readonly next: NextAccess;
  private readonly graph: Graph;
  private readonly log: Log;
  private readonly unmodelled: Unmodelled;
  /** The event being made. */
  readonly made: Int32Array = new Int32Array(g.FIELDS);
  /** Thread numbers by slot, and slots by thread number. */
  readonly threads: number[] = [];
  readonly slots: number[] = [];
  private readonly objects = new Map<number, number>();
  private readonly locations = new Map<number, number>();

  constructor({ machine, memory, next, graph, log, unmodelled }: EventMakerParts) {
    this.machine = machine;
    this.memory = memory;
    this.next = next;
    this.graph = graph;
    this.log = log;
    this.unmodelled = unmodelled;
  }

  /** The most events that the next operation can have. */
  get parts(): number {
    const { access } = this.next;
    return access === WAITS_ON_CONDITION ? 4 : access === READS_THEN_WRITES ? 2 : 1;
  }

  threadOf(slot: number): number {
    let thread = this.threads[slot];
    if (thread === undefined) {
      thread = this.slots.length;
      this.threads[slot] = thread;
      this.slots.push(slot);
      this.graph.addThread(thread);
    }
    return thread;
  }

  /** Prepares an event of the thread's next operation. */
  make(slot: number, kind: number, part: number): void {
    const { made, next } = this;
    const isAccess = kind === g.READ || kind === g.WRITE;
    const location = isAccess ? this.locationOf(slot, part) : g.NONE;
    if (isAccess) this.graph.addLocation(location);
    const releases = part >= 2;
    made.fill(0);
    made[g.THREAD] = this.threadOf(slot);
    made[g.KIND] = kind;
    made[g.ORDER] = releases ? RELEASE : next.order;
    made[g.LOCATION] = location;
    made[g.SOURCE] = g.INITIAL;
    made[g.OLDER] = g.NONE;
    made[g.NEWER] = g.NONE;
    made[g.SAME] = g.NONE;
    made[g.EXTRA] = part === 0 ? this.predecessor(slot, kind) : g.NONE;
    made[g.PART] = part;
    made[g.PARTS] = isAccess ? this.parts : 1;
    made[g.STATUS] = g.PENDING;
    made[g.FAILURE] = g.NONE;
    made[g.OPERATION] = next.operation;
    made[g.LOG] = g.NONE;
    made[g.ADDRESS] = part >= 2 ? next.mutex : next.address;
    made[g.SIZE] = isAccess ? next.size || objectSize(next.operation, part) : kind === g.LIFETIME ? next.size : 0;
  }

  private locationOf(slot: number, part: number): number {
    const { next } = this;
    if (next.size > 0) return this.numberOf(this.memory.location(next.address, next.size), slot, part);
    const object = part >= 2 ? next.mutex : next.address;
    let number = this.objects.get(object);
    if (number === undefined) {
      number = this.objects.size;
      this.objects.set(object, number);
    }
    return 2 * number + 1;
  }

  /** The graph's number for a memory location and the history that the next access belongs to. */
  private numberOf(location: number, slot: number, part: number): number {
    // The second half of a read-modify-write belongs to the history of the first.
    if (part > 0) return this.graph.get(this.graph.last[this.threads[slot]!]!, g.LOCATION);
    const key = location * MAX_EPOCHS + this.unmodelled.epoch;
    let number = this.locations.get(key);
    if (number === undefined) {
      number = this.locations.size;
      this.locations.set(key, number);
    }
    return 2 * number;
  }

  /** What else the operation comes after: the end of the joined thread, or what woke its own. */
  private predecessor(slot: number, kind: number): number {
    const { graph, machine, log } = this;
    const last = graph.last[this.threads[slot]!]!;
    if (kind === g.JOIN) {
      const other = this.threads[machine.processes.slotOfHandle(this.next.joined)];
      return other === undefined ? g.NONE : graph.last[other]!;
    }
    if (last === g.NONE || graph.get(last, g.OPERATION) !== op.WAIT) return g.NONE;
    const waker = wakerOf(machine.events.words, slot, graph.get(last, g.LOG), machine.depth);
    return waker < 0 ? g.NONE : log.events.get(waker);
  }
}

/** The size of an operation's object; the last parts of a condition wait are about its mutex. */
function objectSize(operation: number, part: number): number {
  const isMutex = operation === op.LOCK || operation === op.TRYLOCK || operation === op.UNLOCK || part >= 2;
  return isMutex ? g.MUTEX : g.OBJECT;
}
