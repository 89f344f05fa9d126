/**
 * What programs of `waiting.ts` can do, from the graph of all their states, without partial orders, sleeping threads or
 * any code of the machine. SC, TSO and PSO are as in docs/models.md.
 *
 * A program hangs if it can reach a state after which threads only ever read: that is a `deadlock` if some thread is
 * stuck there with all others, and `liveness` if some thread keeps reading forever. With `hangsUntilEnd`, threads may
 * write as well: a state from which no end of the program can be reached is a hang.
 */
import {
  type Access,
  type Condition,
  LOCALS,
  LOCATIONS,
  type Order,
  type Part,
  type Statement,
  type Waiting,
} from './waiting.ts';

export interface Possible {
  /** `a1 != 0`, `deadlock`, `liveness`. */
  readonly errors: ReadonlySet<string>;
  /** The memory at the end of executions in which all threads end. */
  readonly finals: ReadonlySet<string>;
  readonly states: number;
}

interface Label {
  to: number;
}

type Instruction =
  | { readonly op: 'store'; readonly at: number; readonly part?: Part; readonly value: number; readonly order: Order }
  | { readonly op: 'fence' | 'lock' | 'unlock' | 'exit' | 'end' }
  /** Its value goes to the last local. */
  | { readonly op: 'access'; readonly access: Access }
  | { readonly op: 'set'; readonly local: number; readonly value: number }
  /** The value accessed last. */
  | { readonly op: 'take'; readonly local: number }
  | { readonly op: 'grow' | 'count'; readonly local: number; readonly limit: number }
  | { readonly op: 'jump'; readonly label: Label }
  /** Jumps unless the value accessed last is zero, or is not zero. */
  | { readonly op: 'unlessZero' | 'unlessSet'; readonly label: Label }
  | { readonly op: 'unlessBelow'; readonly local: number; readonly below: number; readonly label: Label }
  | { readonly op: 'assert'; readonly not: number; readonly name: string }
  | { readonly op: 'check'; readonly local: number; readonly not: number; readonly name: string };

const VISIBLE: ReadonlySet<Instruction['op']> = new Set(['store', 'fence', 'lock', 'unlock', 'access', 'exit', 'end']);

interface Loop {
  readonly exit: Label;
  readonly next: Label;
}

/** Turns loops and calls into jumps. Calls have their own locals, cleared on entry. */
class Flattener {
  readonly code: Instruction[] = [];
  locals = 0;

  run(body: readonly Statement[]): this {
    this.call(body);
    this.code.push({ op: 'end' });
    return this;
  }

  private call(body: readonly Statement[]): void {
    const base = this.locals;
    this.locals += LOCALS;
    for (let i = 0; i < LOCALS; i++) this.code.push({ op: 'set', local: base + i, value: 0 });
    const end: Label = { to: -1 };
    for (const statement of body) this.statement(statement, base, end, []);
    end.to = this.code.length;
  }

  private statement(s: Statement, base: number, end: Label, loops: readonly Loop[]): void {
    const { code } = this;
    switch (s.op) {
      case 'store':
        code.push(s);
        if (s.order === 'seq_cst') code.push({ op: 'fence' });
        return;
      case 'add':
        code.push({ op: 'access', access: s });
        return;
      case 'fence':
      case 'lock':
      case 'unlock':
      case 'exit':
        code.push(s);
        return;
      case 'check':
        code.push({ ...s, local: base + s.local });
        return;
      case 'latch': {
        const exit = { to: -1 };
        this.unless({ local: s.local, below: 1 }, base, exit);
        this.unless({ access: { op: 'load', at: s.at }, isZero: false }, base, exit);
        code.push({ op: 'set', local: base + s.local, value: 1 });
        exit.to = code.length;
        return;
      }
      case 'set':
      case 'grow':
      case 'count':
        code.push({ ...s, local: base + s.local });
        return;
      case 'read':
        code.push({ op: 'access', access: { op: 'load', at: s.at } }, { op: 'take', local: base + s.local });
        return;
      case 'while':
      case 'do':
        return this.loop(s, base, end, loops);
      case 'if': {
        const exit = { to: -1 };
        this.unless(s.condition, base, exit);
        for (const inner of s.body) this.statement(inner, base, end, loops);
        exit.to = code.length;
        return;
      }
      case 'leave':
        code.push({ op: 'jump', label: loops.at(-s.loops)!.exit });
        return;
      case 'continue':
        code.push({ op: 'jump', label: loops.at(-1)!.next });
        return;
      case 'return':
        code.push({ op: 'jump', label: end });
        return;
      case 'call':
        return this.call(s.body);
      case 'assert':
        code.push({ op: 'access', access: { op: 'load', at: s.at } }, s);
    }
  }

  private loop(
    { op, condition, body }: Extract<Statement, { op: 'while' | 'do' }>,
    base: number,
    end: Label,
    loops: readonly Loop[],
  ): void {
    const start = { to: this.code.length };
    const loop: Loop = { exit: { to: -1 }, next: op === 'while' ? start : { to: -1 } };
    if (op === 'while') this.unless(condition, base, loop.exit);
    for (const inner of body) this.statement(inner, base, end, [...loops, loop]);
    if (op === 'do') {
      loop.next.to = this.code.length;
      this.unless(condition, base, loop.exit);
    }
    this.code.push({ op: 'jump', label: start });
    loop.exit.to = this.code.length;
  }

  private unless(condition: Condition, base: number, label: Label): void {
    if (condition === 'always') return;
    if ('local' in condition) {
      this.code.push({ op: 'unlessBelow', local: base + condition.local, below: condition.below, label });
      return;
    }
    const { access } = condition;
    const placed = access.op === 'carry' ? { ...access, local: base + access.local } : access;
    this.code.push({ op: 'access', access: placed });
    this.code.push({ op: condition.isZero ? 'unlessZero' : 'unlessSet', label });
  }
}

interface Entry {
  readonly at: number;
  /** The bits of the location that it writes, and their value. */
  readonly mask: number;
  readonly value: number;
  /** Barriers before it. */
  readonly epoch: number;
}

interface Thread {
  pc: number;
  locals: number[];
  epoch: number;
  buffer: Entry[];
}

interface World {
  memory: number[];
  /** Thread, or -1. */
  holder: number;
  threads: Thread[];
  /** Some thread has ended the program. */
  hasExited: boolean;
  /** The error of the step that led here. */
  error: string | undefined;
}

function copy({ memory, holder, threads, hasExited, error }: World): World {
  return {
    memory: memory.slice(),
    holder,
    threads: threads.map(({ pc, locals, epoch, buffer }) => ({
      pc,
      locals: locals.slice(),
      epoch,
      buffer: buffer.slice(),
    })),
    hasExited,
    error,
  };
}

/** What other threads can see of it. */
function visible({ memory, holder, threads }: World): string {
  let text = `${memory.join()};${holder}`;
  for (const { buffer } of threads) {
    text += ';';
    for (const { at, mask, value, epoch } of buffer) text += `${at},${mask},${value},${epoch} `;
  }
  return text;
}

function keyOf(world: World): string {
  let text = `${visible(world)};${world.hasExited}`;
  for (const { pc, locals, epoch } of world.threads) text += `;${pc},${epoch},${locals.join()}`;
  return text;
}

function maskOf(part: Part | undefined): number {
  return part === undefined ? 0xffff : 0xff << (8 * part);
}

function shiftOf(part: Part | undefined): number {
  return part === 1 ? 8 : 0;
}

/** The model's own name for `check`. */
export type OracleModel = 'sc' | 'tso' | 'pso';

/** `undefined` if there are more states than `maxStates`. */
export function possible(
  program: Waiting,
  model: OracleModel,
  maxStates: number,
  hangsUntilEnd = false,
): Possible | undefined {
  return new Oracle(program, model).run(maxStates, hangsUntilEnd);
}

class Oracle {
  private readonly model: OracleModel;
  private readonly codes: readonly (readonly Instruction[])[];
  private readonly locals: readonly number[];

  /** The last thread is main, from the joins on. */
  constructor({ threads, final }: Waiting, model: OracleModel) {
    const flat = [...threads, final].map((body) => new Flattener().run(body));
    this.model = model;
    this.codes = flat.map(({ code }) => code);
    this.locals = flat.map(({ locals }) => locals);
  }

  run(maxStates: number, hangsUntilEnd: boolean): Possible | undefined {
    const start: World = {
      memory: new Array<number>(LOCATIONS).fill(0),
      holder: -1,
      hasExited: false,
      error: undefined,
      threads: this.locals.map((n) => ({ pc: 0, locals: new Array<number>(n + 1).fill(0), epoch: 0, buffer: [] })),
    };
    for (const thread of start.threads.keys()) this.advance(start, thread);
    const errors = new Set<string>();
    const finals = new Set<string>();
    const ids = new Map([[keyOf(start), 0]]);
    const worlds = [start];
    const edges: number[][] = [];
    /** Whether anything other than a read may still happen. */
    const isProductive: boolean[] = [];
    for (let id = 0; id < worlds.length; id++) {
      const world = worlds[id]!;
      edges.push([]);
      isProductive.push(this.isOver(world));
      if (isProductive[id]!) finals.add(world.memory.join(' '));
      for (const next of this.successors(world)) {
        if (next.error !== undefined) {
          errors.add(next.error);
          isProductive[id] = true;
          continue;
        }
        if (!hangsUntilEnd) isProductive[id] ||= hasChanged(world, next) || this.hasEnded(world, next);
        const key = keyOf(next);
        let to = ids.get(key);
        if (to === undefined) {
          if (worlds.length === maxStates) return undefined;
          to = worlds.length;
          ids.set(key, to);
          worlds.push(next);
        }
        edges[id]!.push(to);
      }
    }
    for (const error of hangs(edges, isProductive, hangsUntilEnd)) errors.add(error);
    return { errors, finals, states: worlds.length };
  }

  private isOver({ threads, hasExited }: World): boolean {
    return hasExited || threads.every(({ pc, buffer }, i) => this.codes[i]![pc] === undefined && buffer.length === 0);
  }

  private hasEnded(before: World, after: World): boolean {
    return after.threads.some(({ pc }, i) => pc === this.codes[i]!.length && before.threads[i]!.pc !== pc);
  }

  private successors(world: World): World[] {
    const result: World[] = [];
    if (world.hasExited) return result;
    for (const [i, { buffer, pc }] of world.threads.entries()) {
      for (const [place, entry] of buffer.entries()) {
        if (!this.mayCommit(buffer, place)) continue;
        const next = copy(world);
        next.threads[i]!.buffer.splice(place, 1);
        write(next, entry);
        result.push(next);
      }
      const instruction = this.codes[i]![pc];
      if (instruction === undefined || !this.isEnabled(world, i, instruction)) continue;
      const next = copy(world);
      this.execute(next, i, instruction);
      next.threads[i]!.pc++;
      this.advance(next, i);
      result.push(next);
    }
    return result;
  }

  private mayCommit(buffer: readonly Entry[], place: number): boolean {
    if (this.model === 'tso') return place === 0;
    const { at, mask, epoch } = buffer[place]!;
    return !buffer.some((other, i) => (i < place && overlaps(other, at, mask)) || other.epoch < epoch);
  }

  private isEnabled({ threads, holder }: World, thread: number, instruction: Instruction): boolean {
    const { buffer, epoch } = threads[thread]!;
    if (thread === threads.length - 1) {
      const others = threads.slice(0, -1);
      if (!others.every((t, i) => this.codes[i]![t.pc] === undefined && t.buffer.length === 0)) return false;
    }
    /** The condition that an acquire operation on a place waits for. */
    const mayAtomic = (at: number, mask: number): boolean =>
      this.model === 'tso' ? buffer.length === 0 : !buffer.some((e) => overlaps(e, at, mask) || e.epoch < epoch);
    switch (instruction.op) {
      case 'fence':
      case 'unlock':
        return buffer.length === 0;
      case 'lock':
        return holder < 0 && mayAtomic(-1, 0);
      case 'access': {
        const { access } = instruction;
        if (access.op === 'trylock') return mayAtomic(-1, 0);
        const mask = maskOf(access.op === 'carry' || access.op === 'add' ? undefined : access.part);
        if (access.op === 'load') {
          const own = buffer.findLast((e) => overlaps(e, access.at, mask));
          return own === undefined || (own.mask & mask) === mask;
        }
        return access.order === 'relaxed' ? mayAtomic(access.at, mask) : buffer.length === 0;
      }
      default:
        return true;
    }
  }

  private execute(world: World, i: number, instruction: Instruction): void {
    const thread = world.threads[i]!;
    switch (instruction.op) {
      case 'store': {
        const { at, part, value, order } = instruction;
        if (order !== 'relaxed') thread.epoch += this.model === 'pso' && thread.buffer.length > 0 ? 1 : 0;
        const entry = { at, mask: maskOf(part), value: value << shiftOf(part), epoch: thread.epoch };
        if (this.model === 'sc') write(world, entry);
        else thread.buffer.push(entry);
        return;
      }
      case 'exit':
        world.hasExited = true;
        return;
      case 'lock':
        world.holder = i;
        return;
      case 'unlock':
        if (world.holder !== i) world.error ??= 'misuse';
        world.holder = -1;
        return;
      case 'access':
        thread.locals[thread.locals.length - 1] = access(world, i, instruction.access);
        return;
    }
  }

  /** Runs up to the next visible instruction. */
  private advance(world: World, i: number): void {
    const thread = world.threads[i]!;
    const { locals } = thread;
    for (;;) {
      const instruction = this.codes[i]![thread.pc];
      if (instruction === undefined || world.error !== undefined) return;
      if (VISIBLE.has(instruction.op) && instruction.op !== 'end') return;
      thread.pc++;
      switch (instruction.op) {
        case 'set':
          locals[instruction.local] = instruction.value;
          break;
        case 'take':
          locals[instruction.local] = locals.at(-1)!;
          break;
        case 'grow':
          locals[instruction.local] = Math.min(locals[instruction.local]! * 2 + 1, instruction.limit);
          break;
        case 'count': {
          const next = locals[instruction.local]! + 1;
          locals[instruction.local] = next >= instruction.limit ? 0 : next;
          break;
        }
        case 'jump':
          thread.pc = instruction.label.to;
          break;
        case 'unlessZero':
          if (locals.at(-1) !== 0) thread.pc = instruction.label.to;
          break;
        case 'unlessSet':
          if (locals.at(-1) === 0) thread.pc = instruction.label.to;
          break;
        case 'unlessBelow':
          // Of 16 bits, the first is the sign.
          if ((locals[instruction.local]! << 16) >> 16 >= instruction.below) thread.pc = instruction.label.to;
          break;
        case 'check':
          if (locals[instruction.local] === instruction.not) world.error = `${instruction.name} != ${instruction.not}`;
          break;
        case 'assert':
          if (locals.at(-1) === instruction.not) world.error = `${instruction.name} != ${instruction.not}`;
          break;
      }
    }
  }
}

function access(world: World, i: number, a: Access): number {
  if (a.op === 'trylock') {
    if (world.holder >= 0) return 0;
    world.holder = i;
    return 1;
  }
  const part = a.op === 'carry' || a.op === 'add' ? undefined : a.part;
  const mask = maskOf(part);
  const own = world.threads[i]!.buffer.findLast((entry) => overlaps(entry, a.at, mask));
  const old = ((own === undefined ? world.memory[a.at]! : own.value) & mask) >> shiftOf(part);
  if (a.op === 'load') return old;
  const put = (value: number): void => write(world, { at: a.at, mask, value: value << shiftOf(part) });
  if (a.op === 'carry') {
    const { locals } = world.threads[i]!;
    const succeeds = old === locals[a.local];
    if (succeeds) put(old ^ 1);
    else locals[a.local] = old;
    return succeeds ? 1 : 0;
  }
  if (a.op === 'cas') {
    if (old === a.expected) put(a.value);
    return old === a.expected ? 1 : 0;
  }
  put((a.op === 'or' ? old | a.value : a.op === 'add' ? old + a.value : a.value) & 0xffff);
  return old;
}

function write({ memory }: World, { at, mask, value }: Omit<Entry, 'epoch'>): void {
  memory[at] = (memory[at]! & ~mask) | value;
}

function overlaps(entry: Entry, at: number, mask: number): boolean {
  return entry.at === at && (entry.mask & mask) !== 0;
}

/** Whether the step did more than read: memory, a buffer or the mutex has changed. */
function hasChanged(before: World, after: World): boolean {
  return after.hasExited || visible(before) !== visible(after);
}

/**
 * Whether, among the states from which nothing productive can be reached, some continue and some are stuck. `atEnd`:
 * where a thread may still get stuck, it does not continue for ever.
 */
function hangs(edges: readonly (readonly number[])[], isProductive: readonly boolean[], atEnd: boolean): string[] {
  const before = edges.map((): number[] => []);
  for (const [from, targets] of edges.entries()) for (const to of targets) before[to]!.push(from);
  const isEnd = (id: number): boolean => atEnd && edges[id]!.length === 0;
  const alive = new Set([...isProductive.keys()].filter((id) => isProductive[id]! || isEnd(id)));
  for (const id of alive) for (const from of before[id]!) alive.add(from);
  const stuck = [...edges.keys()].filter((id) => !alive.has(id));
  const ends = (atEnd ? [...alive].filter((id) => !isProductive[id]) : stuck).filter((id) => edges[id]!.length === 0);
  // Repeatedly removing dead ends leaves the cycles and the states that lead to them.
  const finite = new Set(ends);
  for (const id of finite) {
    for (const from of before[id]!)
      if (!alive.has(from) && edges[from]!.every((to) => finite.has(to))) finite.add(from);
  }
  return [...(ends.length > 0 ? ['deadlock'] : []), ...(finite.size < stuck.length ? ['liveness'] : [])];
}
