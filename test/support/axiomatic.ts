/**
 * The oracle: which executions of a sketch do SC, TSO and PSO allow? It answers with axioms over execution graphs, and
 * so shares neither ideas nor code with the machine, which uses store buffers.
 *
 * A candidate execution has one event per access that ran (a read-modify-write that writes is one event with two
 * parts), for every read the write it reads from (rf; or the initial value), and for every location a total order
 * of its writes (co). fr orders a read before the writes that are co-after the one it read. A candidate counts if
 *
 *   coherence   what a thread sees of a location never goes back in co: acyclic(po-loc ∪ rf ∪ co ∪ fr)
 *   atomicity   a read-modify-write comes in co immediately after the write it reads
 *   model       acyclic(ppo ∪ rfe ∪ co ∪ fr), rfe being rf between different threads
 *
 * An event represents one moment: when a load or read-modify-write ran, or when a store reached memory.
 * ppo, the preserved program order, holds for a before b in the same thread when
 *
 *   a        b                         SC   TSO        PSO
 *   read     any                       yes  yes        yes
 *   store    load                      yes  full fence full fence
 *   store    store                     yes  yes        same location, barrier or full fence
 *   store    atomic, waiting for all   yes  yes        yes
 *   store    atomic, other             yes  yes        same location, barrier or full fence
 *
 * where
 *
 *   read        a load, or an atomic: the thread does not continue before it has run
 *   atomic      a read-modify-write or compare-exchange. It waits for all if its order is release, acq_rel or
 *               seq_cst; a compare-exchange also if its failure order is seq_cst, and whether or not it then fails.
 *   full fence  between a and b: a seq_cst fence, or the end of a seq_cst store (which may be a itself)
 *   barrier     between a and b: a release or acq_rel fence, or the beginning of a release or seq_cst store (which
 *               may be b itself)
 *
 * Why this is the table of docs/models.md: a store has two moments, entering the buffer and leaving it, but the first
 * is tied only to its neighbours in program order and so drops out, leaving "a read before a store is before its
 * commit" and "a full fence before a store is before its commit". A load that forwards from its own buffer reads a
 * write that is not in memory yet, hence no edge for rf within a thread; and everything co-after that write is still to
 * come, hence fr from the forwarding load. If instead the store has left, the newest write in memory is read, which is
 * the same rf and fr. An atomic waits for its own location at least, so that it never forwards. Acquire orders nothing,
 * since no read is ever overtaken. Atomics that wait need no rows as things between a and b: they are ordered after a
 * and before b, and ppo closes transitively.
 *
 * Candidates are built by adding one event after the other, which finds all of them: ppo orders reads before
 * everything after them and rf goes forward in time, so po ∪ rf is acyclic and every value is known when it is
 * needed. All axioms hold for the parts of an execution that satisfies them, so a bad candidate is dropped at once.
 */
import { releases } from '../../src/program/types.ts';
import {
  type Access,
  countReads,
  type Fence,
  type FenceOrder,
  type IfLast,
  isRead,
  locationName,
  locationsOf,
  type Op,
  printState,
  type Read,
  registersOf,
  type Sketch,
  type Store,
  type Value,
} from './sketch.ts';

export type AxiomaticModel = 'sc' | 'tso' | 'pso';

export interface AxiomaticExecutions {
  /** Final states as `printState` writes them: `0:r0=1,1:r0=0,x=1,y=0`. A register of an access not run is 0. */
  readonly states: Set<string>;
  /** Number of consistent executions, one per key. */
  readonly executions: number;
  /** What identifies an execution; see `executionKey`. */
  readonly keys: Set<string>;
}

/**
 * Names an execution: for each thread its reads in program order, each with its source, then for each location its
 * writes in coherence order: `0.1<init,1.0<0.0;x:0.0,1.1;y:`. An access is `thread.index`, counting the accesses its
 * thread ran (failed compare-exchanges too, fences not) from 0; both parts of a read-modify-write have the same name.
 */
export function executionKey(
  reads: readonly (readonly { readonly read: string; readonly source: string }[])[],
  coherence: readonly (readonly string[])[],
): string {
  return [
    reads.flatMap((thread) => thread.map(({ read, source }) => `${read}<${source}`)).join(','),
    ...coherence.map((writes, location) => `${locationName(location)}:${writes.join(',')}`),
  ].join(';');
}

export function axiomaticExecutions(sketch: Sketch, model: AxiomaticModel): AxiomaticExecutions {
  const enumeration = new Enumeration(sketch, model);
  enumeration.extend();
  const { states, executions, keys } = enumeration;
  return { states, executions, keys };
}

interface Event {
  /** Position in the order of adding, which is also its bit in sets of events. */
  readonly id: number;
  readonly thread: number;
  /** `thread.index`. */
  readonly name: string;
  readonly location: number;
  readonly kind: 'load' | 'store' | 'atomic';
  /** Of a compare-exchange: the order that decides how long it waits. */
  readonly order: Access['order'];
  /** The value it leaves in memory; `undefined` if it only reads. */
  readonly written: number | undefined;
  /** Where it reads; `undefined` for the initial value, and if it does not read. */
  readonly source: Event | undefined;
}

/** The rest of a thread, with both alternatives where it branches. */
type Code = undefined | Step | { readonly op: IfLast; readonly then: Code; readonly else: Code };

interface Step {
  readonly op: Access | Fence;
  /** Number of its register, if it reads. */
  readonly register: number;
  readonly rest: Code;
}

interface Thread {
  readonly number: number;
  /** What it runs next; `undefined` at its end. */
  next: Step | undefined;
  last: number;
  readonly registers: number[];
  /** What has run so far; a fence is represented by its order. */
  readonly path: (Event | FenceOrder)[];
  accesses: number;
  /** Smallest id that the source of its next read may have, -1 being that of the initial value. */
  oldest: number;
}

/** Sets of events are the bits of a 32-bit integer. */
const MAX_EVENTS = 31;

class Enumeration {
  readonly states: Set<string> = new Set();
  readonly keys: Set<string> = new Set();
  executions = 0;

  private readonly model: AxiomaticModel;
  private readonly threads: readonly Thread[];
  /** Writes in coherence order, by location. */
  private readonly coherence: readonly Event[][];
  /** Events that read, by location. */
  private readonly readers: readonly Event[][];
  /** For each event the set of those after it in the transitive closure of ppo ∪ rfe ∪ co ∪ fr; never itself. */
  private after: readonly number[] = [];

  constructor(sketch: Sketch, model: AxiomaticModel) {
    const registers = registersOf(sketch);
    this.model = model;
    this.threads = sketch.map((ops, number) => ({
      number,
      next: settle(compile(ops, 0, undefined), 0),
      last: 0,
      registers: new Array<number>(registers[number]!).fill(0),
      path: [],
      accesses: 0,
      oldest: -1,
    }));
    this.coherence = locationsOf(sketch).map(() => []);
    this.readers = this.coherence.map(() => []);
  }

  /**
   * Completes the candidate in all consistent ways, records each, and leaves everything as it was.
   *
   * Each execution is built in one order only: stores and fences as soon as they are next; if there are none, the
   * read of the lowest thread whose source has been added. So a thread that is skipped must later read a write
   * that does not exist yet.
   */
  extend(): void {
    const eager = this.threads.find((thread) => thread.next !== undefined && !isRead(thread.next.op));
    if (eager !== undefined) {
      const { op } = eager.next!;
      if (op.op === 'fence') this.addFence(eager, op.order);
      else if (op.op === 'store') this.addStore(eager, op);
      return;
    }

    const reading = this.threads.filter((thread) => thread.next !== undefined);
    if (reading.length === 0) {
      this.record();
      return;
    }
    const oldest = reading.map((thread) => thread.oldest);
    for (const thread of reading) {
      this.addRead(thread, thread.next!.op as Read);
      thread.oldest = this.after.length;
    }
    reading.forEach((thread, i) => {
      thread.oldest = oldest[i]!;
    });
  }

  private addFence(thread: Thread, order: FenceOrder): void {
    const { next } = thread;
    thread.path.push(order);
    thread.next = settle(next!.rest, thread.last);
    this.extend();
    thread.next = next;
    thread.path.pop();
  }

  private addStore(thread: Thread, op: Store): void {
    const event = this.event(thread, op, 'store', op.order, evaluate(op.value, thread.last), undefined);
    const places = this.coherence[op.location]!.length;
    for (let place = this.seen(thread, op.location); place <= places; place++) this.add(thread, event, place);
  }

  private addRead(thread: Thread, op: Read): void {
    const writes = this.coherence[op.location]!;
    for (let place = this.seen(thread, op.location); place <= writes.length; place++) {
      const source = place === 0 ? undefined : writes[place - 1]!;
      if ((source?.id ?? -1) < thread.oldest) continue;
      const read = source?.written ?? 0;
      // Atomicity: a read-modify-write comes right after the write it reads.
      this.add(thread, this.readEvent(thread, op, read, source), place, read);
    }
  }

  private readEvent(thread: Thread, op: Read, read: number, source: Event | undefined): Event {
    switch (op.op) {
      case 'load':
        return this.event(thread, op, 'load', op.order, undefined, source);
      case 'rmw': {
        const value = evaluate(op.value, thread.last);
        const written = op.operator === 'add' ? (read + value) | 0 : value;
        return this.event(thread, op, 'atomic', op.order, written, source);
      }
      case 'cas': {
        const waits = releases(op.failureOrder) ? op.failureOrder : op.order;
        const written = read === evaluate(op.expected, thread.last) ? evaluate(op.desired, thread.last) : undefined;
        return this.event(thread, op, 'atomic', waits, written, source);
      }
    }
  }

  private event(
    thread: Thread,
    op: Access,
    kind: Event['kind'],
    order: Event['order'],
    written: number | undefined,
    source: Event | undefined,
  ): Event {
    const id = this.after.length;
    if (id >= MAX_EVENTS) throw new RangeError(`the axiomatic oracle takes at most ${MAX_EVENTS} accesses`);
    const name = `${thread.number}.${thread.accesses}`;
    return { id, thread: thread.number, name, location: op.location, kind, order, written, source };
  }

  /** Coherence: how many writes of `location`, from the first in its order, the thread has seen or overwritten. */
  private seen(thread: Thread, location: number): number {
    // The thread's last access has seen the most, since coherence holds.
    for (let i = thread.path.length - 1; i >= 0; i--) {
      const event = thread.path[i]!;
      if (typeof event === 'string' || event.location !== location) continue;
      const write = event.written === undefined ? event.source : event;
      return write === undefined ? 0 : this.coherence[location]!.indexOf(write) + 1;
    }
    return 0;
  }

  /**
   * Adds `event` after the first `place` writes of its location, continues from there, and undoes it; does nothing if
   * an axiom forbids it.
   */
  private add(thread: Thread, event: Event, place: number, read?: number): void {
    const writes = this.coherence[event.location]!;
    const readers = this.readers[event.location]!;
    const isWrite = event.written !== undefined;

    // Atomicity: nothing comes between a read-modify-write and the write it reads. (It would be before it in co and
    // after it in fr, so the model's axiom says the same, later.)
    if (isWrite && writes[place]?.kind === 'atomic') return;

    let before = preservedBefore(event, thread.path, this.model);
    if (event.source !== undefined && event.source.thread !== event.thread) before |= bit(event.source); // rfe
    if (isWrite) {
      for (let i = 0; i < place; i++) before |= bit(writes[i]!); // co
      for (const reader of readers) {
        const source = reader.source === undefined ? -1 : writes.indexOf(reader.source);
        if (source < place) before |= bit(reader); // fr
      }
    }
    let behind = 0;
    for (let i = place; i < writes.length; i++) behind |= bit(writes[i]!); // co of a write, fr of a read
    const after = this.closure(before, behind);
    if (after === undefined) return;

    const { next, last, oldest } = thread;
    const saved = this.after;
    this.after = after;
    if (isWrite) writes.splice(place, 0, event);
    thread.path.push(event);
    thread.accesses++;
    if (read !== undefined) {
      readers.push(event);
      thread.registers[next!.register] = read;
      thread.last = read;
      thread.oldest = -1;
    }
    thread.next = settle(next!.rest, thread.last);

    this.extend();

    thread.next = next;
    if (read !== undefined) {
      thread.oldest = oldest;
      thread.last = last;
      thread.registers[next!.register] = 0;
      readers.pop();
    }
    thread.accesses--;
    thread.path.pop();
    if (isWrite) writes.splice(place, 1);
    this.after = saved;
  }

  /** `after` with one more event, given its direct neighbours; `undefined` if that closes a cycle. */
  private closure(before: number, behind: number): number[] | undefined {
    const added = this.after.length;
    let reachable = behind;
    for (let i = 0; i < added; i++) if (behind & (1 << i)) reachable |= this.after[i]!;
    if (reachable & before) return undefined;
    const after = this.after.map((set, i) => (before & ((1 << i) | set) ? set | reachable | (1 << added) : set));
    after.push(reachable);
    return after;
  }

  private record(): void {
    this.executions++;
    const reads = this.threads.map((thread) =>
      thread.path
        .filter((event) => typeof event !== 'string' && event.kind !== 'store')
        .map((event) => ({ read: (event as Event).name, source: (event as Event).source?.name ?? 'init' })),
    );
    this.keys.add(
      executionKey(
        reads,
        this.coherence.map((writes) => writes.map((event) => event.name)),
      ),
    );
    this.states.add(
      printState(
        this.threads.map((thread) => thread.registers),
        this.coherence.map((writes) => writes.at(-1)?.written ?? 0),
      ),
    );
  }
}

/** The events of `path`, all of b's thread and before it, that ppo orders before b: the table of the header. */
function preservedBefore(b: Event, path: readonly (Event | FenceOrder)[], model: AxiomaticModel): number {
  let events = 0;
  // Going backwards: what is between the current element and b.
  let fullFence = false;
  let barrier = b.kind === 'store' && releases(b.order);
  for (let i = path.length - 1; i >= 0; i--) {
    const a = path[i]!;
    if (typeof a === 'string') {
      if (a === 'seq_cst') fullFence = true;
      else if (a !== 'acquire') barrier = true;
      continue;
    }
    if (a.kind === 'store' && a.order === 'seq_cst') fullFence = true;
    if (a.kind !== 'store' || fullFence || storeStaysBefore(a, b, barrier, model)) events |= bit(a);
    if (a.kind === 'store' && releases(a.order)) barrier = true;
  }
  return events;
}

/** Whether the store a is ordered before b without a full fence between them. */
function storeStaysBefore(a: Event, b: Event, barrier: boolean, model: AxiomaticModel): boolean {
  switch (model) {
    case 'sc':
      return true;
    case 'tso':
      return b.kind !== 'load';
    case 'pso':
      if (b.kind === 'load') return false;
      return a.location === b.location || barrier || (b.kind === 'atomic' && releases(b.order));
  }
}

function bit(event: Event): number {
  return 1 << event.id;
}

function evaluate(value: Value, last: number): number {
  return value === 'last' ? last : value;
}

/** The code of `ops`, whose first register is `register`, followed by `rest`. */
function compile(ops: readonly Op[], register: number, rest: Code): Code {
  const [op, ...others] = ops;
  if (op === undefined) return rest;
  const code = compile(others, register + countReads([op]), rest);
  if (op.op !== 'ifLast') return { op, register, rest: code };
  const then = compile(op.then, register, code);
  return { op, then, else: compile(op.else, register + countReads(op.then), code) };
}

/** Takes branches until there is something to run. */
function settle(code: Code, last: number): Step | undefined {
  let rest = code;
  while (rest !== undefined && 'then' in rest) rest = rest.op.value === last ? rest.then : rest.else;
  return rest;
}
