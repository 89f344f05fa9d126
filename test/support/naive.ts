/**
 * A second implementation of PSO and PSLO, as simple as possible: [RELAXER] Fig. 5 and 6 transcribed into objects and
 * lists, with the exact store–store barrier and the C11 orders of `docs/models.md`. It shares no code with the machine,
 * and unlike the axioms of `axiomatic.ts` it knows PSLO. Slow: only for sketches of a few operations.
 *
 *   figure         here
 *   B_a[p][a]      thread.buffer, all locations in one list: an entry may commit when no older one holds it back
 *   S[p][a]        thread.history[a], oldest first; the last one is what memory holds
 *   m[a]           the last of coherence[a]
 */
import { acquires, type Order, releases } from '../../src/program/types.ts';
import { executionKey } from './axiomatic.ts';
import { countReads, isRead, locationsOf, type Op, printState, type Read, registersOf, type Sketch } from './sketch.ts';

export interface NaiveExecutions {
  /** As `printState` writes them. */
  readonly states: Set<string>;
  /** As `executionKey` names them. */
  readonly keys: Set<string>;
}

interface Write {
  readonly name: string;
  readonly value: number;
}

interface Entry extends Write {
  readonly location: number;
  /** Number of barriers that its thread had passed. */
  readonly epoch: number;
}

/** An operation, with its register if it reads; branches are expanded when reached. */
interface Todo {
  readonly op: Op;
  readonly register: number;
}

interface Thread {
  readonly todo: readonly Todo[];
  readonly last: number;
  readonly registers: readonly number[];
  readonly reads: readonly { readonly read: string; readonly source: string }[];
  readonly accesses: number;
  readonly buffer: readonly Entry[];
  readonly epoch: number;
  readonly history: readonly (readonly Write[])[];
}

interface World {
  readonly threads: readonly Thread[];
  readonly coherence: readonly (readonly Write[])[];
}

const INITIAL: Write = { name: 'init', value: 0 };

export function naiveExecutions(sketch: Sketch, model: 'pso' | 'pslo'): NaiveExecutions {
  const locations = locationsOf(sketch);
  const registers = registersOf(sketch);
  const start: World = {
    coherence: locations.map(() => [INITIAL]),
    threads: sketch.map((ops, thread) => ({
      todo: number(ops, 0),
      last: 0,
      registers: new Array<number>(registers[thread]!).fill(0),
      reads: [],
      accesses: 0,
      buffer: [],
      epoch: 0,
      history: locations.map(() => [INITIAL]),
    })),
  };
  const states = new Set<string>();
  const keys = new Set<string>();
  const seen = new Set<string>();
  const pending = [start];
  for (let world = pending.pop(); world !== undefined; world = pending.pop()) {
    const key = JSON.stringify(world);
    if (seen.has(key)) continue;
    seen.add(key);
    const next = world.threads.flatMap((_, p) => [...commits(world, p), ...steps(world, p, model)]);
    pending.push(...next);
    if (next.length > 0) continue;
    const order = world.coherence.map((writes) => writes.slice(1));
    keys.add(
      executionKey(
        world.threads.map((t) => t.reads),
        order.map((writes) => writes.map((w) => w.name)),
      ),
    );
    states.add(
      printState(
        world.threads.map((t) => t.registers),
        world.coherence.map((writes) => writes.at(-1)!.value),
      ),
    );
  }
  return { states, keys };
}

/** Gives every read its register, in the order in which they are written down, through both branches. */
function number(ops: readonly Op[], first: number): Todo[] {
  let register = first;
  return ops.map((op) => {
    const todo = { op, register };
    register += countReads([op]);
    return todo;
  });
}

function update(world: World, p: number, changes: Partial<Thread>): World {
  return { ...world, threads: world.threads.map((t, i) => (i === p ? { ...t, ...changes } : t)) };
}

/** The write reaches memory: its own thread may read nothing older, and for others it is the newest value. */
function write(world: World, p: number, location: number, { name, value }: Write): World {
  const entry = { name, value };
  return {
    coherence: world.coherence.map((writes, l) => (l === location ? [...writes, entry] : writes)),
    threads: world.threads.map((t, i) => ({
      ...t,
      history: t.history.map((past, l) => (l !== location ? past : i === p ? [entry] : [...past, entry])),
    })),
  };
}

function commits(world: World, p: number): World[] {
  const { buffer } = world.threads[p]!;
  return buffer.flatMap((entry, i) => {
    const older = buffer.slice(0, i);
    if (older.some((o) => o.location === entry.location || o.epoch < entry.epoch)) return [];
    return [write(update(world, p, { buffer: buffer.filter((o) => o !== entry) }), p, entry.location, entry)];
  });
}

/** All ways in which the thread's next operation can run. */
function steps(world: World, p: number, model: 'pso' | 'pslo'): World[] {
  const thread = world.threads[p]!;
  const [next, ...todo] = thread.todo;
  if (next === undefined) return [];
  const { op } = next;
  const { buffer, epoch, accesses } = thread;
  const value = (v: number | 'last'): number => (v === 'last' ? thread.last : v);
  const name = `${p}.${accesses}`;
  switch (op.op) {
    case 'ifLast': {
      const then = number(op.then, next.register);
      const otherwise = number(op.else, next.register + countReads(op.then));
      return [update(world, p, { todo: [...(thread.last === op.value ? then : otherwise), ...todo] })];
    }
    case 'fence': {
      if (op.order === 'seq_cst' && buffer.length > 0) return [];
      const barrier = op.order === 'release' || op.order === 'acq_rel';
      return [reset(update(world, p, { todo, epoch: barrier ? epoch + 1 : epoch }), p, op.order)];
    }
    case 'store': {
      const own = releases(op.order) ? epoch + 1 : epoch;
      const entry: Entry = { name, value: value(op.value), location: op.location, epoch: own };
      const fence: Todo[] = op.order === 'seq_cst' ? [{ op: { op: 'fence', order: 'seq_cst' }, register: 0 }] : [];
      const changes = { buffer: [...buffer, entry], epoch: own, accesses: accesses + 1 };
      return [update(world, p, { ...changes, todo: [...fence, ...todo] })];
    }
    case 'load': {
      const own = buffer.findLast((e) => e.location === op.location);
      if (own !== undefined) return [reset(read(world, p, next.register, op, own, todo), p, op.order)];
      const past = thread.history[op.location]!;
      const from = model === 'pslo' ? 0 : past.length - 1;
      return past.slice(from).map((source, i) => {
        const history = thread.history.map((h, l) => (l === op.location ? past.slice(from + i) : h));
        return reset(read(update(world, p, { history }), p, next.register, op, source, todo), p, op.order);
      });
    }
    case 'rmw':
    case 'cas': {
      const waits = op.op === 'cas' && releases(op.failureOrder) ? op.failureOrder : op.order;
      if (buffer.some((e) => releases(waits) || e.location === op.location || e.epoch < epoch)) return [];
      const old = world.coherence[op.location]!.at(-1)!;
      const history = thread.history.map((h, l) => (l === op.location ? [old] : h));
      const after = read(update(world, p, { history }), p, next.register, op, old, todo);
      if (op.op === 'cas' && old.value !== value(op.expected)) return [reset(after, p, op.failureOrder)];
      const operand = value(op.op === 'cas' ? op.desired : op.value);
      const stored = op.op === 'rmw' && op.operator === 'add' ? (old.value + operand) | 0 : operand;
      return [reset(write(after, p, op.location, { name, value: stored }), p, op.order)];
    }
  }
}

function read(world: World, p: number, register: number, op: Read, source: Write, todo: readonly Todo[]): World {
  if (!isRead(op)) throw new Error('only reads have a source');
  const thread = world.threads[p]!;
  return update(world, p, {
    todo,
    last: source.value,
    registers: thread.registers.with(register, source.value),
    reads: [...thread.reads, { read: `${p}.${thread.accesses}`, source: source.name }],
    accesses: thread.accesses + 1,
  });
}

/** A load–load barrier, if the order is one: the thread forgets what memory held earlier. */
function reset(world: World, p: number, order: Order): World {
  if (!acquires(order)) return world;
  return update(world, p, { history: world.coherence.map((writes) => [writes.at(-1)!]) });
}
