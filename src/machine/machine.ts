/**
 * machine/: how a program runs.
 *
 * A machine is a program under a memory model. It stands in some state, says which steps could be taken, takes one,
 * records the event it produced, and can go back to any earlier depth. Threads are data in one buffer (`state.ts`,
 * `layout.ts`), nothing lives in closures, and the same schedule gives the same events.
 *
 * Every unfinished thread stands before a visible operation; the local instructions in between run as part of the
 * step before (`interpreter.ts`). A step is a thread's visible operation or the commit of a buffered store; it produces
 * exactly one event, so the depth is the number of steps, of events, and of entries of the schedule. What loads, stores
 * and fences do is the memory's business (`memory/`). The machine knows no clocks, no traces and no search.
 *
 * Call protocol: `enabled()`, then `step()` with one of `steps`, and so on until `enabled()` is 0; then `outcome` says
 * how the execution ended. `rollback(depth)` at any time, to any depth up to the current one.
 */
import type { Program } from '../program/ir.ts';
import { ORDERS, type Order, releases, sizeOf, TYPES } from '../program/types.ts';
import { IntVector } from '../util/int-vector.ts';
import { modify32, modify64, normalise } from './arithmetic.ts';
import * as op from './code.ts';
import {
  BAD_JOIN,
  describeError,
  LIMIT_BUFFER,
  LIMIT_NAMES,
  LIMIT_SYNCS,
  LIMIT_THREADS,
  type MachineBound,
  NULL_ACCESS,
  OUT_OF_BOUNDS,
  OUT_OF_SCOPE,
  type ProgramError,
  WRONG_UNLOCK,
} from './error.ts';
import * as ev from './event.ts';
import { Interpreter, toBigint } from './interpreter.ts';
import {
  ABSENT,
  ASSUME_BLOCKED,
  defaultLimits,
  FINISHED,
  GRANULE,
  H_ERROR,
  H_ERROR_DETAIL,
  H_ERROR_SITE,
  H_ERROR_THREAD,
  H_LIMIT,
  type Layout,
  type Limits,
  layOut,
  MEMORY_BASE,
  N_ADDRESS,
  N_HIGH,
  N_LOW,
  N_SITE,
  N_SIZE,
  N_STORE,
  O_ALIVE,
  O_END,
  O_START,
  OBJECT_WORDS,
  RUNNABLE,
  T_CHILDREN,
  T_EVENTS,
  T_FLOOR,
  T_FRAME,
  T_HEAD,
  T_PC,
  T_RESULT,
  T_STACK,
  T_STATUS,
  T_TOP,
  T_WAIT,
  THREAD_WORDS,
  WAITING,
} from './layout.ts';
import { memories } from './memory/index.ts';
import type { Memory, Model } from './memory/memory.ts';
import { locationName } from './names.ts';
import { choiceOf, MAX_CHOICES, ProcessTable, processOf, type Step, stepOf } from './process.ts';
import { State } from './state.ts';

/** How an execution stands. */
export type Outcome =
  | 'running'
  /** Every thread has ended and every store has reached memory. */
  | 'complete'
  | 'error'
  | 'deadlock'
  /** A thread stopped at an assumption that does not hold. */
  | 'blocked'
  /** The machine ran out of room; `bound` names it. */
  | 'limit';

const I64 = TYPES.indexOf('i64');
const SIZES: readonly number[] = TYPES.map(sizeOf);
const BITS: readonly number[] = TYPES.map((t) => sizeOf(t) * 8);
/** Words of a synchronisation object: its holder's slot + 1. */
const SYNC_WORDS = 2;

export class Machine {
  readonly program: Program;
  readonly model: Model;
  readonly code: op.Code;
  readonly layout: Layout;
  readonly state: State;
  readonly processes: ProcessTable;
  readonly memory: Memory;
  readonly events: ev.EventLog = new ev.EventLog();
  /** The steps that `enabled` found. */
  readonly steps: IntVector = new IntVector();
  private readonly words: Int32Array;
  private readonly interpreter: Interpreter;
  /** Journal length at each depth. */
  private readonly marks = new IntVector();
  /** Number of each synchronisation object, by address; handed out at first use and kept, like process numbers. */
  private readonly syncNumbers = new Map<number, number>();

  constructor(program: Program, model: Model, limits: Partial<Limits> = {}) {
    this.program = program;
    this.model = model;
    this.code = op.compile(program);
    const largestFrame = Math.max(...this.code.functions.map((f) => f.frameWords));
    this.layout = layOut(program, { ...defaultLimits(program, largestFrame), ...limits });
    this.state = new State(this.layout.totalWords);
    this.words = this.state.words;
    this.processes = new ProcessTable(this.layout.limits.threads, program.roots.length);
    const { state, layout, processes } = this;
    this.memory = new memories[model]({ state, layout, processes });
    this.interpreter = new Interpreter(this.code, state, layout);
    this.loadGlobals();
    this.startRoots();
  }

  private loadGlobals(): void {
    const { words, layout } = this;
    const bytes = new Uint8Array(words.buffer);
    this.program.globals.forEach((global, index) => {
      const address = layout.globals[index]!;
      if (global.init !== undefined) bytes.set(global.init, address);
      for (const { offset, target } of global.relocations ?? []) {
        const value =
          target.kind === 'global' ? layout.globals[target.index]! + target.offset : op.functionAddress(target.index);
        new DataView(words.buffer).setInt32(address + offset, value, true);
      }
      const object = layout.objects + (index + 1) * OBJECT_WORDS;
      words[object + O_START] = address;
      words[object + O_END] = address + global.size;
      words[object + O_ALIVE] = 1;
      for (let a = address; a < address + global.size; a += GRANULE) words[layout.shadow + a / GRANULE] = index + 1;
    });
  }

  private startRoots(): void {
    const roots = this.program.roots;
    for (let thread = 0; thread < roots.length; thread++) {
      this.startThread(thread, 0, roots[thread]!.function, 0, this.code.rootArguments[thread]!);
    }
    for (let thread = 0; thread < roots.length && !this.stopped; thread++) this.interpreter.advance(thread);
  }

  /** Puts a thread at the entry of `func`; arguments `count (type value)*` stand at `args` in the code. */
  private startThread(thread: number, site: number, func: number, caller: number, args: number): void {
    const { state, layout, code } = this;
    const base = this.threadWord(thread, 0);
    for (let field = 0; field < THREAD_WORDS; field++) state.set(base + field, 0);
    state.set(base + T_STATUS, RUNNABLE);
    state.set(base + T_TOP, layout.frames + thread * layout.limits.frameWords);
    state.set(base + T_STACK, layout.stacks + thread * layout.limits.stackBytes);
    this.memory.synchronise(thread);
    if (!this.interpreter.enter(thread, site, func, caller, args + 1, code.words[args]!, -1, -1)) return;
    state.set(base + T_PC, code.functions[func]!.entry);
  }

  private threadWord(thread: number, field: number): number {
    return this.layout.threads + thread * THREAD_WORDS + field;
  }

  private threadState(thread: number, field: number): number {
    return this.words[this.threadWord(thread, field)]!;
  }

  // ---- what could run next

  /** Steps taken so far. */
  get depth(): number {
    return this.events.length;
  }

  /** An error or a limit has ended this execution. */
  get stopped(): boolean {
    return this.words[H_ERROR] !== 0 || this.words[H_LIMIT] !== 0;
  }

  /** Fills `steps` with the steps that could be taken now and returns how many there are. */
  enabled(): number {
    const { steps } = this;
    steps.clear();
    if (this.stopped) return 0;
    const threads = this.processes.threadCount;
    for (let thread = 0; thread < threads; thread++) {
      const status = this.threadState(thread, T_STATUS);
      if (status === ABSENT) continue;
      this.memory.commits(thread, steps);
      if (status !== RUNNABLE) continue;
      const choices = this.choices(thread);
      for (let choice = 0; choice < choices; choice++) steps.push(stepOf(thread, choice));
    }
    return steps.length;
  }

  /** In how many ways the thread's next operation could run now; 0 if it must wait. */
  private choices(thread: number): number {
    const { memory } = this;
    const code = this.code.words;
    const pc = this.threadState(thread, T_PC);
    const value = (field: number): number => this.interpreter.low(this.threadState(thread, T_FRAME), code[pc + field]!);
    switch (code[pc]) {
      case op.LOAD: {
        const size = SIZES[code[pc + 2]!]!;
        return memory.canLoad(thread, value(4), size) ? memory.loadChoices(thread, value(4), size) : 0;
      }
      case op.STORE:
        return 1;
      case op.RMW:
        return memory.canAtomic(thread, value(5), SIZES[code[pc + 3]!]!, this.order(pc + 7)) ? 1 : 0;
      case op.CMPXCHG:
        return memory.canAtomic(thread, value(5), SIZES[code[pc + 2]!]!, this.waitOrder(pc)) ? 1 : 0;
      case op.FENCE:
        return memory.canFence(thread, this.order(pc + 2)) ? 1 : 0;
      case op.CHOOSE:
        return code[pc + 4]!;
      case op.SPAWN:
        return memory.isDrained(thread) ? 1 : 0;
      case op.JOIN: {
        const other = this.processes.slotOfHandle(value(4));
        // Joining something that is no thread is an error, not a wait.
        if (other < 0 || this.threadState(other, T_STATUS) === ABSENT) return 1;
        return this.threadState(other, T_STATUS) === FINISHED && memory.isDrained(other) ? 1 : 0;
      }
      case op.LOCK:
        return this.holder(value(2)) < 0 && this.canLock(thread, value(2)) ? 1 : 0;
      case op.TRYLOCK:
        return this.canLock(thread, value(3)) ? 1 : 0;
      case op.UNLOCK:
      case op.WAIT:
        return memory.isDrained(thread) ? 1 : 0;
      case op.SIGNAL:
        return Math.min(Math.max(1, this.waiters(value(2)).length), MAX_CHOICES);
      case op.BROADCAST:
        return 1;
      default:
        throw new Error(`not a visible operation: ${code[pc]}`);
    }
  }

  private order(at: number): Order {
    return ORDERS[this.code.words[at]!]!;
  }

  /**
   * A compare-exchange waits for what the stronger of its two orders asks, since whether it will fail is only known
   * once it runs: the barrier stands before the instruction on every machine.
   */
  private waitOrder(pc: number): Order {
    const failure = this.order(pc + 9);
    return releases(failure) ? failure : this.order(pc + 8);
  }

  private canLock(thread: number, mutex: number): boolean {
    return this.memory.canAtomic(thread, mutex, 1, 'acquire');
  }

  /** Slot of the thread that holds the mutex, or -1. */
  private holder(mutex: number): number {
    const number = this.syncNumbers.get(mutex);
    return number === undefined ? -1 : this.words[this.layout.syncs + number * SYNC_WORDS]! - 1;
  }

  private setHolder(mutex: number, thread: number): void {
    let number = this.syncNumbers.get(mutex);
    if (number === undefined) {
      number = this.syncNumbers.size;
      if (number >= this.layout.limits.syncObjects) return this.state.set(H_LIMIT, LIMIT_SYNCS);
      this.syncNumbers.set(mutex, number);
    }
    this.state.set(this.layout.syncs + number * SYNC_WORDS, thread + 1);
  }

  /** Slots of the threads that wait on a condition variable, in the order of their names. */
  private waiters(condition: number): number[] {
    const waiting: number[] = [];
    for (let thread = 0; thread < this.processes.threadCount; thread++) {
      if (this.threadState(thread, T_STATUS) === WAITING && this.threadState(thread, T_WAIT) === condition)
        waiting.push(thread);
    }
    return waiting.sort((a, b) => this.processes.handle(a) - this.processes.handle(b));
  }

  // ---- taking a step

  step(step: Step): void {
    this.marks.push(this.state.mark);
    const process = processOf(step);
    if (this.processes.isThread(process)) this.runThread(process, step);
    else this.commit(process, step);
  }

  /** Goes back to the state in which `depth` steps had been taken. */
  rollback(depth: number): void {
    if (depth >= this.depth) return;
    this.state.rewind(this.marks.get(depth));
    this.marks.length = depth;
    this.events.truncate(depth);
  }

  private commit(process: number, step: Step): void {
    const { words, memory } = this;
    const entry = memory.nextCommit(process);
    if (entry === 0) throw new Error('this buffer has nothing to commit');
    const thread = this.processes.owner(process);
    const at = this.events.append(ev.UPDATE_EVENT, thread, words[entry + N_STORE]!, step, words[entry + N_SITE]!);
    const event = this.events.words;
    event[at + ev.E_ADDRESS] = words[entry + N_ADDRESS]!;
    event[at + ev.E_SIZE] = words[entry + N_SIZE]!;
    event[at + ev.E_LOW] = words[entry + N_LOW]!;
    event[at + ev.E_HIGH] = words[entry + N_HIGH]!;
    event[at + ev.E_FLAGS] = ev.WROTE_MEMORY;
    memory.commit(thread, entry);
  }

  private runThread(thread: number, step: Step): void {
    const { state } = this;
    const pc = this.threadState(thread, T_PC);
    const index = this.threadState(thread, T_EVENTS) + 1;
    state.set(this.threadWord(thread, T_EVENTS), index);
    const next = this.execute(thread, pc, index, step);
    if (this.stopped) return;
    state.set(this.threadWord(thread, T_PC), next);
    if (this.threadState(thread, T_STATUS) === RUNNABLE) this.interpreter.advance(thread);
  }

  /** Runs the visible operation at `pc`, records its event and returns the next pc. */
  private execute(thread: number, pc: number, index: number, step: Step): number {
    const { memory, state, interpreter, events } = this;
    const code = this.code.words;
    const site = code[pc + 1]!;
    const frame = this.threadState(thread, T_FRAME);
    const low = (field: number): number => interpreter.low(frame, code[pc + field]!);
    const high = (field: number): number => interpreter.high(frame, code[pc + field]!);
    const begin = (kind: number): number => events.append(kind, thread, index, step, site);
    switch (code[pc]) {
      case op.LOAD: {
        const type = code[pc + 2]!;
        const at = begin(ev.LOAD_EVENT);
        this.noteAccess(at, low(4), SIZES[type]!, code[pc + 5]!);
        if (!this.checkAccess(thread, site, low(4), SIZES[type]!)) return pc;
        memory.load(thread, low(4), SIZES[type]!, this.order(pc + 5), choiceOf(step));
        const event = events.words;
        event[at + ev.E_LOW] = this.canonical(type, state.low);
        event[at + ev.E_HIGH] = state.high;
        if (memory.forwardedFrom >= 0) {
          event[at + ev.E_FLAGS] = ev.FORWARDED;
          event[at + ev.E_OTHER] = memory.forwardedFrom;
        } else {
          event[at + ev.E_AS_OF] = memory.asOf;
        }
        interpreter.setRegister(frame, type, code[pc + 3]!, event[at + ev.E_LOW]!, state.high);
        return pc + 6;
      }
      case op.STORE: {
        const type = code[pc + 2]!;
        const size = SIZES[type]!;
        const at = begin(ev.STORE_EVENT);
        this.noteAccess(at, low(3), size, code[pc + 5]!);
        if (!this.checkAccess(thread, site, low(3), size)) return pc;
        if (!memory.canStore()) return this.limit(LIMIT_BUFFER, pc);
        const valueHigh = size === 8 ? high(4) : 0;
        events.words[at + ev.E_LOW] = low(4);
        events.words[at + ev.E_HIGH] = valueHigh;
        const atOnce = memory.store(thread, low(3), size, low(4), valueHigh, this.order(pc + 5), index, site);
        events.words[at + ev.E_FLAGS] = atOnce ? ev.WROTE_MEMORY : 0;
        return pc + 6;
      }
      case op.RMW: {
        const type = code[pc + 3]!;
        const size = SIZES[type]!;
        const address = low(5);
        const at = begin(ev.RMW_EVENT);
        this.noteAccess(at, address, size, code[pc + 7]!);
        if (!this.checkAccess(thread, site, address, size)) return pc;
        if (!memory.canStore()) return this.limit(LIMIT_BUFFER, pc);
        this.readOld(at, type, address);
        this.modify(at, code[pc + 2]!, type, low(6), size === 8 ? high(6) : 0);
        this.writeNew(at, thread, address, size);
        memory.afterAtomic(thread, address, size, this.order(pc + 7));
        this.setFromEvent(frame, type, code[pc + 4]!, at);
        return pc + 8;
      }
      case op.CMPXCHG: {
        const type = code[pc + 2]!;
        const size = SIZES[type]!;
        const address = low(5);
        const at = begin(ev.RMW_EVENT);
        const event = events.words;
        this.noteAccess(at, address, size, code[pc + 8]!);
        if (!this.checkAccess(thread, site, address, size)) return pc;
        if (!memory.canStore()) return this.limit(LIMIT_BUFFER, pc);
        this.readOld(at, type, address);
        event[at + ev.E_FLAGS] = ev.COMPARED;
        const equal = event[at + ev.E_LOW] === low(6) && (size < 8 || event[at + ev.E_HIGH] === high(6));
        if (equal) {
          event[at + ev.E_NEW_LOW] = low(7);
          event[at + ev.E_NEW_HIGH] = size === 8 ? high(7) : 0;
          this.writeNew(at, thread, address, size);
        } else {
          event[at + ev.E_ORDER] = code[pc + 9]!;
        }
        memory.afterAtomic(thread, address, size, this.order(equal ? pc + 8 : pc + 9));
        this.setFromEvent(frame, type, code[pc + 3]!, at);
        if (code[pc + 4]! >= 0) state.set(frame + code[pc + 4]!, equal ? 1 : 0);
        return pc + 10;
      }
      case op.FENCE: {
        const at = begin(ev.FENCE_EVENT);
        events.words[at + ev.E_ORDER] = code[pc + 2]!;
        memory.fence(thread, this.order(pc + 2));
        return pc + 3;
      }
      case op.CHOOSE: {
        const at = begin(ev.CHOOSE_EVENT);
        events.words[at + ev.E_LOW] = choiceOf(step);
        interpreter.setRegister(frame, code[pc + 2]!, code[pc + 3]!, choiceOf(step), 0);
        return pc + 5;
      }
      case op.SPAWN: {
        const child = this.threadState(thread, T_CHILDREN) + 1;
        const slot = this.processes.childSlot(thread, child);
        const at = begin(ev.SPAWN_EVENT);
        if (slot < 0) return this.limit(LIMIT_THREADS, pc);
        events.words[at + ev.E_OTHER] = slot;
        state.set(this.threadWord(thread, T_CHILDREN), child);
        state.set(frame + code[pc + 2]!, this.processes.handle(slot));
        this.startThread(slot, site, -1 - low(3), frame, pc + 4);
        if (!this.stopped) interpreter.advance(slot);
        return pc + 5 + 2 * code[pc + 4]!;
      }
      case op.JOIN: {
        const slot = this.processes.slotOfHandle(low(4));
        const at = begin(ev.JOIN_EVENT);
        events.words[at + ev.E_OTHER] = slot;
        if (slot < 0 || this.threadState(slot, T_STATUS) === ABSENT) {
          interpreter.fail(BAD_JOIN, thread, site, low(4));
          return pc;
        }
        memory.synchronise(thread);
        const type = code[pc + 2]!;
        const result = this.threadWord(slot, T_RESULT);
        if (type >= 0)
          interpreter.setRegister(frame, type, code[pc + 3]!, this.words[result]!, this.words[result + 1]!);
        return pc + 5;
      }
      case op.LOCK:
        if (!this.beginSync(begin(ev.LOCK_EVENT), thread, site, low(2))) return pc;
        this.setHolder(low(2), thread);
        memory.synchronise(thread);
        return pc + 3;
      case op.TRYLOCK: {
        const at = begin(ev.TRYLOCK_EVENT);
        if (!this.beginSync(at, thread, site, low(3))) return pc;
        const free = this.holder(low(3)) < 0;
        if (free) {
          this.setHolder(low(3), thread);
          events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
        }
        memory.synchronise(thread);
        state.set(frame + code[pc + 2]!, free ? 1 : 0);
        return pc + 4;
      }
      case op.UNLOCK:
        if (!this.beginSync(begin(ev.UNLOCK_EVENT), thread, site, low(2))) return pc;
        return this.unlock(thread, site, low(2)) ? pc + 3 : pc;
      case op.WAIT: {
        const at = begin(ev.WAIT_EVENT);
        if (!this.beginSync(at, thread, site, low(2))) return pc;
        // The mutex it gives up, for the trace.
        events.words[at + ev.E_OTHER] = low(3);
        if (!this.unlock(thread, site, low(3))) return pc;
        state.set(this.threadWord(thread, T_WAIT), low(2));
        state.set(this.threadWord(thread, T_STATUS), WAITING);
        return pc + 4;
      }
      case op.SIGNAL: {
        const at = begin(ev.SIGNAL_EVENT);
        if (!this.beginSync(at, thread, site, low(2))) return pc;
        const woken = this.waiters(low(2))[choiceOf(step)] ?? -1;
        events.words[at + ev.E_OTHER] = woken;
        if (woken >= 0) {
          events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
          state.set(this.threadWord(woken, T_STATUS), RUNNABLE);
        }
        return pc + 3;
      }
      case op.BROADCAST: {
        const at = begin(ev.BROADCAST_EVENT);
        if (!this.beginSync(at, thread, site, low(2))) return pc;
        const woken = this.waiters(low(2));
        if (woken.length > 0) events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
        for (const other of woken) state.set(this.threadWord(other, T_STATUS), RUNNABLE);
        return pc + 3;
      }
      default:
        throw new Error(`not a visible operation: ${code[pc]}`);
    }
  }

  private limit(limit: number, pc: number): number {
    this.state.set(H_LIMIT, limit);
    return pc;
  }

  private noteAccess(at: number, address: number, size: number, order: number): void {
    const event = this.events.words;
    event[at + ev.E_ADDRESS] = address;
    event[at + ev.E_SIZE] = size;
    event[at + ev.E_ORDER] = order;
  }

  /** A value as registers hold it, from its bytes in memory. */
  private canonical(type: number, low: number): number {
    return BITS[type]! < 32 ? normalise(low, BITS[type]!) : low;
  }

  private readOld(at: number, type: number, address: number): void {
    const { state } = this;
    state.read(address, SIZES[type]!);
    this.events.words[at + ev.E_LOW] = this.canonical(type, state.low);
    this.events.words[at + ev.E_HIGH] = state.high;
  }

  private modify(at: number, operator: number, type: number, low: number, high: number): void {
    const event = this.events.words;
    if (type === I64) {
      const value = modify64(operator, toBigint(event[at + ev.E_LOW]!, event[at + ev.E_HIGH]!), toBigint(low, high));
      event[at + ev.E_NEW_LOW] = Number(BigInt.asIntN(32, value));
      event[at + ev.E_NEW_HIGH] = Number(BigInt.asIntN(32, value >> 32n));
    } else {
      event[at + ev.E_NEW_LOW] = modify32(operator, BITS[type]!, event[at + ev.E_LOW]!, low);
    }
  }

  private writeNew(at: number, thread: number, address: number, size: number): void {
    const event = this.events.words;
    event[at + ev.E_FLAGS] = event[at + ev.E_FLAGS]! | ev.WROTE_MEMORY;
    this.memory.atomicWrite(thread, address, size, event[at + ev.E_NEW_LOW]!, event[at + ev.E_NEW_HIGH]!);
  }

  private setFromEvent(frame: number, type: number, dest: number, at: number): void {
    const event = this.events.words;
    this.interpreter.setRegister(frame, type, dest, event[at + ev.E_LOW]!, event[at + ev.E_HIGH]!);
  }

  private beginSync(at: number, thread: number, site: number, object: number): boolean {
    this.events.words[at + ev.E_ADDRESS] = object;
    return this.checkAccess(thread, site, object, 1);
  }

  private unlock(thread: number, site: number, mutex: number): boolean {
    if (this.holder(mutex) !== thread) {
      this.interpreter.fail(WRONG_UNLOCK, thread, site, mutex);
      return false;
    }
    this.setHolder(mutex, -1);
    this.memory.synchronise(thread);
    return true;
  }

  private checkAccess(thread: number, site: number, address: number, size: number): boolean {
    const { words, layout } = this;
    const inside = address >= MEMORY_BASE && address + size <= layout.memoryEnd;
    const object = inside ? words[layout.shadow + Math.floor(address / GRANULE)]! : 0;
    const record = layout.objects + object * OBJECT_WORDS;
    if (object === 0) {
      const isNull = address >= 0 && address < MEMORY_BASE;
      this.interpreter.fail(isNull ? NULL_ACCESS : OUT_OF_BOUNDS, thread, site, address);
    } else if (address < words[record + O_START]! || address + size > words[record + O_END]!) {
      this.interpreter.fail(OUT_OF_BOUNDS, thread, site, address);
    } else if (words[record + O_ALIVE] === 0) {
      this.interpreter.fail(OUT_OF_SCOPE, thread, site, address);
    } else {
      return true;
    }
    return false;
  }

  // ---- looking at the state

  /** How the execution stands; call `enabled()` first. */
  get outcome(): Outcome {
    if (this.words[H_ERROR] !== 0) return 'error';
    if (this.words[H_LIMIT] !== 0) return 'limit';
    if (this.steps.length > 0) return 'running';
    let unfinished = false;
    let assumed = false;
    for (let thread = 0; thread < this.processes.threadCount; thread++) {
      const status = this.threadState(thread, T_STATUS);
      if (status === ASSUME_BLOCKED) assumed = true;
      else if (status !== ABSENT && status !== FINISHED) unfinished = true;
    }
    if (assumed) return 'blocked';
    // Once main has returned, the process may end at any time: a thread that still waits then is no deadlock.
    const mainEnded = this.program.roots.length === 1 && this.threadState(0, T_STATUS) === FINISHED;
    return unfinished && !mainEnded ? 'deadlock' : 'complete';
  }

  /** The error that ended the execution, if one did. */
  get error(): ProgramError | undefined {
    const { words } = this;
    const error = words[H_ERROR]!;
    if (error === 0) return undefined;
    const thread = this.processes.threadName(words[H_ERROR_THREAD]!);
    return describeError(this.code, error, thread, words[H_ERROR_SITE]!, words[H_ERROR_DETAIL]!);
  }

  /** Who waits for what, for a deadlock. */
  describeWaits(): string {
    const waits: string[] = [];
    for (let thread = 0; thread < this.processes.threadCount; thread++) {
      const status = this.threadState(thread, T_STATUS);
      if (status !== RUNNABLE && status !== WAITING) continue;
      waits.push(`thread ${this.processes.threadName(thread)} waits ${this.waitsFor(thread, status)}`);
    }
    return waits.join('; ');
  }

  private waitsFor(thread: number, status: number): string {
    if (status === WAITING) return `to be woken on ${locationName(this, this.threadState(thread, T_WAIT))}`;
    const code = this.code.words;
    const pc = this.threadState(thread, T_PC);
    const frame = this.threadState(thread, T_FRAME);
    const value = (field: number): number => this.interpreter.low(frame, code[pc + field]!);
    switch (code[pc]) {
      case op.LOCK: {
        const holder = this.holder(value(2));
        const held = holder < 0 ? '' : `, held by thread ${this.processes.threadName(holder)}`;
        return `for ${locationName(this, value(2))}${held}`;
      }
      case op.JOIN:
        return `for thread ${this.processes.threadName(this.processes.slotOfHandle(value(4)))} to end`;
      default:
        return 'for its stores to reach memory';
    }
  }

  /** The bound of the machine that ended the execution, if one did. */
  get bound(): MachineBound | undefined {
    const limit = this.words[H_LIMIT]!;
    return limit === 0 ? undefined : LIMIT_NAMES[limit]!;
  }

  /** A register of the function that a root thread started in, as low and high word. */
  register(root: number, register: number): [number, number] {
    const { layout, words } = this;
    const base = layout.frames + root * layout.limits.frameWords;
    const func = this.code.functions[this.program.roots[root]!.function]!;
    const at = base + func.offsets[register]!;
    return [words[at]!, sizeOf(func.types[register]!) === 8 ? words[at + 1]! : 0];
  }

  /** The value of a place in a global, as low and high word (raw bytes). */
  global(index: number, offset: number, size: number): [number, number] {
    this.state.read(this.layout.globals[index]! + offset, size);
    return [this.state.low, this.state.high];
  }

  /** Adds all that the future depends on, and nothing that depends on how it came about. */
  encode(out: IntVector): void {
    const { words, layout, processes } = this;
    for (let thread = 0; thread < processes.threadCount; thread++) {
      const status = this.threadState(thread, T_STATUS);
      out.push(status);
      if (status === ABSENT) continue;
      for (let field = T_PC; field < THREAD_WORDS; field++) {
        // The rest is the memory's: `memory.encode` says what matters of it.
        if (field < T_HEAD || field > T_FLOOR) out.push(this.threadState(thread, field));
      }
      const top = this.threadState(thread, T_TOP);
      for (let w = layout.frames + thread * layout.limits.frameWords; w < top; w++) out.push(words[w]!);
      const stack = layout.stacks + thread * layout.limits.stackBytes;
      for (let a = stack; a < this.threadState(thread, T_STACK); a += 4) out.push(words[a >> 2]!);
    }
    for (let a = MEMORY_BASE; a < layout.stacks; a += 4) out.push(words[a >> 2]!);
    for (const [mutex, number] of this.syncNumbers) {
      const holder = words[layout.syncs + number * SYNC_WORDS]!;
      if (holder === 0) continue;
      out.push(mutex);
      out.push(holder);
    }
    this.memory.encode(out);
  }
}
