/**
 * Visible operations: when each may run and what it does. One call of `execute` is one step of a thread and records one
 * event; what loads, stores and fences do is the memory's business.
 */
import { ORDERS, type Order, releases, sizeOf, TYPES } from '../program/types.ts';
import { compare32, highWord, lowWord, modify32, modify64, normalise } from './arithmetic.ts';
import * as op from './code.ts';
import {
  BAD_ATOMIC,
  BAD_JOIN,
  DESTROYED_AWAITED,
  DESTROYED_HELD,
  DOUBLE_FREE,
  JOINED_DETACHED,
  JOINED_TWICE,
  LIMIT_BUFFER,
  LIMIT_THREADS,
  OUT_OF_SCOPE,
  USE_AFTER_FREE,
  WRONG_UNLOCK,
} from './error.ts';
import * as ev from './event.ts';
import { fail, hasStopped, reachLimit } from './fault.ts';
import { writeInitialValue } from './initial.ts';
import { type Interpreter, toBigint } from './interpreter.ts';
import {
  ALIVE_HEAP,
  DETACHED,
  H_ATOMIC,
  H_EXITED,
  JOINED,
  type Layout,
  N_ADDRESS,
  N_FREES,
  N_SITE,
  N_SIZE,
  O_SIZE,
  O_STATUS,
  RUNNABLE,
  T_CHILDREN,
  T_FLAGS,
  T_FRAME,
  T_HEAP,
  T_PC,
  T_RESULT,
  T_STACK,
  T_STATUS,
  T_TOP,
  T_WAIT,
  WAITING,
} from './layout.ts';
import type { Memory } from './memory/memory.ts';
import { Objects } from './objects.ts';
import { choiceOf, MAX_CHOICES, type ProcessTable, type Step } from './process.ts';
import type { State } from './state.ts';
import { SyncObjects } from './sync.ts';
import { Threads } from './thread.ts';

const I32 = TYPES.indexOf('i32');
const I64 = TYPES.indexOf('i64');
const SIZES: readonly number[] = TYPES.map(sizeOf);
const BITS: readonly number[] = TYPES.map((t) => (t === 'i1' ? 1 : sizeOf(t) * 8));

/** What operations work on; owned by the machine. */
export interface OperationParts {
  readonly code: op.Code;
  readonly state: State;
  readonly layout: Layout;
  readonly processes: ProcessTable;
  readonly memory: Memory;
  readonly interpreter: Interpreter;
  readonly events: ev.EventLog;
}

export class Operations {
  readonly syncs: SyncObjects;
  private readonly code: op.Code;
  private readonly state: State;
  private readonly layout: Layout;
  private readonly processes: ProcessTable;
  private readonly memory: Memory;
  private readonly interpreter: Interpreter;
  private readonly events: ev.EventLog;
  private readonly threads: Threads;
  private readonly objects: Objects;

  constructor(parts: OperationParts) {
    this.code = parts.code;
    this.state = parts.state;
    this.layout = parts.layout;
    this.processes = parts.processes;
    this.memory = parts.memory;
    this.interpreter = parts.interpreter;
    this.events = parts.events;
    this.threads = new Threads(parts.state, parts.layout);
    this.objects = new Objects(parts.state, parts.layout);
    this.syncs = new SyncObjects(parts.state, parts.layout, parts.processes);
  }

  /** Puts a thread at the entry of `func`; arguments `count (type value)*` stand at `args` in the code. */
  startThread(thread: number, site: number, func: number, caller: number, args: number): void {
    const { layout, code, threads } = this;
    threads.clear(thread);
    threads.set(thread, T_STATUS, RUNNABLE);
    threads.set(thread, T_TOP, layout.frames + thread * layout.limits.frameWords);
    threads.set(thread, T_STACK, layout.stacks + thread * layout.limits.stackBytes);
    threads.set(thread, T_HEAP, layout.heaps + thread * layout.limits.heapBytes);
    if (layout.threadLocalBytes > 0) this.startThreadLocals(thread);
    this.memory.synchronise(thread);
    if (!this.interpreter.enter(thread, site, func, caller, args + 1, code.words[args]!, -1, -1)) return;
    threads.set(thread, T_PC, code.functions[func]!.entry);
  }

  private startThreadLocals(thread: number): void {
    const { layout, state } = this;
    const { program } = this.code;
    this.objects.addThreadLocals(program, thread);
    const base = layout.threadLocals + thread * layout.threadLocalBytes;
    for (const [index, global] of program.globals.entries()) {
      if (global.threadLocal !== true) continue;
      writeInitialValue(global, base + layout.globals[index]!, layout, (address, byte) => {
        state.write(address, 1, byte, 0);
      });
    }
  }

  /** In how many ways the thread's next operation could run now; 0 if it must wait. */
  choices(thread: number): number {
    const { memory } = this;
    const code = this.code.words;
    const pc = this.threads.get(thread, T_PC);
    const value = (field: number): number => this.interpreter.low(this.threads.get(thread, T_FRAME), code[pc + field]!);
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
        if (other < 0 || !this.threads.exists(other) || this.threads.get(other, T_FLAGS) !== 0) return 1;
        return this.threads.hasFinished(other) && memory.isDrained(other) ? 1 : 0;
      }
      case op.LOCK:
        return this.syncs.holder(value(2)) < 0 && this.canLock(thread, value(2)) ? 1 : 0;
      case op.TRYLOCK:
        return this.canLock(thread, value(3)) ? 1 : 0;
      case op.UNLOCK:
      case op.WAIT:
      case op.TIMEDWAIT:
        return memory.isDrained(thread) ? 1 : 0;
      case op.SIGNAL:
        return Math.min(Math.max(1, this.syncs.waiters(value(2)).length), MAX_CHOICES);
      case op.BROADCAST:
      case op.FREE:
      case op.EXIT:
      case op.WAKE:
      case op.DESTROY:
        return 1;
      case op.AWAIT:
        return memory.canAtomic(thread, value(4), 4, this.order(pc + 9)) && this.mayGoOn(thread, pc) ? 1 : 0;
      case op.BEGINATOMIC:
      case op.ENDATOMIC:
        return memory.isDrained(thread) ? 1 : 0;
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

  /** Whether an `AWAIT` need not wait: its condition holds, it does not block, or it fails. */
  private mayGoOn(thread: number, pc: number): boolean {
    const code = this.code.words;
    const address = this.operand(thread, pc, 4);
    if (code[pc + 10] === 0 || this.accessError(thread, address, 4) !== 0) return true;
    this.state.read(address, 4);
    return compare32(code[pc + 5]!, 32, this.state.low, this.operand(thread, pc, 6)) !== 0;
  }

  private canLock(thread: number, mutex: number): boolean {
    return this.memory.canAtomic(thread, mutex, 1, 'acquire');
  }

  /** Runs the visible operation at `pc`, records its event and returns the next pc. */
  execute(thread: number, pc: number, index: number, step: Step): number {
    const { memory, state, interpreter, events } = this;
    const code = this.code.words;
    const site = this.interpreter.userSite(thread, code[pc + 1]!);
    const frame = this.threads.get(thread, T_FRAME);
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
      case op.AWAIT: {
        const address = low(4);
        const at = begin(ev.RMW_EVENT);
        this.noteAccess(at, address, 4, code[pc + 9]!);
        if (!this.checkAccess(thread, site, address, 4)) return pc;
        if (!memory.canStore()) return this.limit(LIMIT_BUFFER, pc);
        this.readOld(at, I32, address);
        events.words[at + ev.E_FLAGS] = ev.COMPARED;
        const holds = compare32(code[pc + 5]!, 32, events.words[at + ev.E_LOW]!, low(6));
        if (holds !== 0 && code[pc + 7]! >= 0) {
          this.modify(at, code[pc + 7]!, I32, low(8), 0);
          this.writeNew(at, thread, address, 4);
        }
        memory.afterAtomic(thread, address, 4, this.order(pc + 9));
        this.setFromEvent(frame, I32, code[pc + 2]!, at);
        state.set(frame + code[pc + 3]!, holds);
        return pc + 11;
      }
      case op.FENCE: {
        const at = begin(ev.FENCE_EVENT);
        events.words[at + ev.E_ORDER] = code[pc + 2]!;
        memory.fence(thread, this.order(pc + 2));
        return pc + 3;
      }
      case op.CHOOSE: {
        const at = begin(ev.CHOOSE_EVENT);
        const chosen = this.canonical(code[pc + 2]!, choiceOf(step));
        events.words[at + ev.E_LOW] = chosen;
        interpreter.setRegister(frame, code[pc + 2]!, code[pc + 3]!, chosen, 0);
        return pc + 5;
      }
      case op.SPAWN: {
        const child = this.threads.get(thread, T_CHILDREN) + 1;
        const slot = this.processes.childSlot(thread, child);
        const at = begin(ev.SPAWN_EVENT);
        if (slot < 0) return this.limit(LIMIT_THREADS, pc);
        events.words[at + ev.E_OTHER] = slot;
        this.threads.set(thread, T_CHILDREN, child);
        state.set(frame + code[pc + 2]!, this.processes.handle(slot));
        this.startThread(slot, site, -1 - low(3), frame, pc + 4);
        if (!hasStopped(state)) interpreter.advance(slot);
        return pc + 5 + 2 * code[pc + 4]!;
      }
      case op.JOIN: {
        const slot = this.processes.slotOfHandle(low(4));
        const at = begin(ev.JOIN_EVENT);
        events.words[at + ev.E_OTHER] = slot;
        if (slot < 0 || !this.threads.exists(slot)) {
          fail(state, BAD_JOIN, thread, site, low(4));
          return pc;
        }
        const flags = this.threads.get(slot, T_FLAGS);
        if (flags !== 0) {
          fail(state, (flags & DETACHED) !== 0 ? JOINED_DETACHED : JOINED_TWICE, thread, site, low(4));
          return pc;
        }
        this.threads.set(slot, T_FLAGS, JOINED);
        memory.synchronise(thread);
        const type = code[pc + 2]!;
        if (type >= 0) {
          const resultLow = this.threads.get(slot, T_RESULT);
          interpreter.setRegister(frame, type, code[pc + 3]!, resultLow, this.threads.get(slot, T_RESULT + 1));
        }
        return pc + 5;
      }
      case op.LOCK:
        if (!this.beginSync(begin(ev.LOCK_EVENT), thread, site, low(2))) return pc;
        this.syncs.setHolder(low(2), thread);
        memory.synchronise(thread);
        return pc + 3;
      case op.TRYLOCK: {
        const at = begin(ev.TRYLOCK_EVENT);
        if (!this.beginSync(at, thread, site, low(3))) return pc;
        const free = this.syncs.holder(low(3)) < 0;
        if (free) {
          this.syncs.setHolder(low(3), thread);
          events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
        }
        memory.synchronise(thread);
        state.set(frame + code[pc + 2]!, free ? 1 : 0);
        return pc + 4;
      }
      case op.UNLOCK:
        if (!this.beginSync(begin(ev.UNLOCK_EVENT), thread, site, low(2))) return pc;
        return this.unlock(thread, site, low(2)) ? pc + 3 : pc;
      case op.WAIT:
      case op.TIMEDWAIT: {
        const at = begin(ev.WAIT_EVENT);
        if (!this.beginSync(at, thread, site, low(2))) return pc;
        // The mutex it gives up, for the trace.
        events.words[at + ev.E_OTHER] = low(3);
        if (!this.unlock(thread, site, low(3))) return pc;
        this.threads.set(thread, T_WAIT, low(2));
        if (code[pc] === op.WAIT) this.threads.set(thread, T_STATUS, WAITING);
        return pc + 4;
      }
      case op.WAKE: {
        const at = begin(ev.WAKE_EVENT);
        if (!this.beginSync(at, thread, site, low(3))) return pc;
        const isWoken = this.threads.get(thread, T_WAIT) === 0;
        if (isWoken) events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
        this.threads.set(thread, T_WAIT, 0);
        state.set(frame + code[pc + 2]!, isWoken ? 0 : 1);
        return pc + 4;
      }
      case op.DESTROY: {
        const at = begin(ev.DESTROY_EVENT);
        if (!this.beginSync(at, thread, site, low(2))) return pc;
        if (this.syncs.holder(low(2)) >= 0) fail(state, DESTROYED_HELD, thread, site, low(2));
        else if (this.syncs.waiters(low(2)).length > 0) fail(state, DESTROYED_AWAITED, thread, site, low(2));
        return pc + 3;
      }
      case op.SIGNAL: {
        const at = begin(ev.SIGNAL_EVENT);
        if (!this.beginSync(at, thread, site, low(2))) return pc;
        const woken = this.syncs.waiters(low(2))[choiceOf(step)] ?? -1;
        events.words[at + ev.E_OTHER] = woken;
        if (woken >= 0) {
          events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
          this.syncs.wake(woken);
        }
        return pc + 3;
      }
      case op.BROADCAST: {
        const at = begin(ev.BROADCAST_EVENT);
        if (!this.beginSync(at, thread, site, low(2))) return pc;
        const woken = this.syncs.waiters(low(2));
        if (woken.length > 0) events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
        for (const other of woken) this.syncs.wake(other);
        return pc + 3;
      }
      case op.FREE:
        return this.free(begin(ev.FREE_EVENT), thread, site, low(3), code[pc + 2]!, index) ? pc + 4 : pc;
      case op.EXIT:
        events.words[begin(ev.EXIT_EVENT) + ev.E_LOW] = low(2);
        state.set(H_EXITED, 1);
        return pc;
      case op.BEGINATOMIC:
        begin(ev.BEGIN_ATOMIC_EVENT);
        if (state.words[H_ATOMIC] !== 0) fail(state, BAD_ATOMIC, thread, site);
        state.set(H_ATOMIC, thread + 1);
        memory.synchronise(thread);
        return pc + 2;
      case op.ENDATOMIC:
        begin(ev.END_ATOMIC_EVENT);
        if (state.words[H_ATOMIC] !== thread + 1) fail(state, BAD_ATOMIC, thread, site);
        state.set(H_ATOMIC, 0);
        memory.synchronise(thread);
        return pc + 2;
      default:
        throw new Error(`not a visible operation: ${code[pc]}`);
    }
  }

  private free(at: number, thread: number, site: number, address: number, kind: number, index: number): boolean {
    const { state, objects, memory, events } = this;
    const isHeap = kind === op.HEAP_OBJECT;
    // free(NULL) does nothing, and has its event all the same; so has the end of a local that was never reached.
    if (address === 0) return true;
    events.words[at + ev.E_ADDRESS] = address;
    const error = isHeap ? objects.checkFree(address) : objects.check(address, 0);
    if (error !== 0 || memory.hasPendingFree(thread, address, 1)) {
      fail(state, error === 0 ? DOUBLE_FREE : error, thread, site, address);
      return false;
    }
    if (!memory.canStore()) {
      reachLimit(state, LIMIT_BUFFER);
      return false;
    }
    const size = Math.max(1, objects.header(address, O_SIZE));
    events.words[at + ev.E_SIZE] = size;
    if (memory.free(thread, address, size, index, site)) {
      events.words[at + ev.E_FLAGS] = ev.WROTE_MEMORY;
      objects.end(address, site);
    }
    return true;
  }

  /** What a commit has to do beside moving a value: a store must not hit a dead object; a free ends one. */
  beforeCommit(thread: number, entry: number): void {
    const { state, objects } = this;
    const address = state.words[entry + N_ADDRESS]!;
    const site = state.words[entry + N_SITE]!;
    if (state.words[entry + N_FREES] === 1) {
      const alive = objects.check(address, 0) === 0;
      if (alive) objects.end(address, site);
      else fail(state, DOUBLE_FREE, thread, site, address);
      return;
    }
    const error = objects.check(address, state.words[entry + N_SIZE]!);
    if (error !== 0) fail(state, error, thread, site, address);
  }

  private limit(limit: number, pc: number): number {
    reachLimit(this.state, limit);
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
      event[at + ev.E_NEW_LOW] = lowWord(value);
      event[at + ev.E_NEW_HIGH] = highWord(value);
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
    if (this.syncs.holder(mutex) !== thread) {
      fail(this.state, WRONG_UNLOCK, thread, site, mutex);
      return false;
    }
    this.syncs.setHolder(mutex, -1);
    this.memory.synchronise(thread);
    return true;
  }

  private checkAccess(thread: number, site: number, address: number, size: number): boolean {
    const error = this.accessError(thread, address, size);
    if (error !== 0) fail(this.state, error, thread, site, address);
    return error === 0;
  }

  /** The error code of the thread's access to these bytes, or 0; an own free that still waits counts for the thread. */
  accessError(thread: number, address: number, size: number): number {
    const error = this.objects.check(address, size);
    if (error !== 0 || !this.memory.hasPendingFree(thread, address, size)) return error;
    const isHeap = this.objects.header(this.objects.find(address), O_STATUS) === ALIVE_HEAP;
    return isHeap ? USE_AFTER_FREE : OUT_OF_SCOPE;
  }

  // ---- what a thread waits for, in words

  /** Where the user would look for the operation that the thread is about to run. */
  nextSite(thread: number): number {
    return this.interpreter.userSite(thread, this.code.words[this.threads.get(thread, T_PC) + 1]!);
  }

  /** The mutex the thread is about to lock, or -1. */
  wantedMutex(thread: number): number {
    const pc = this.threads.get(thread, T_PC);
    return this.code.words[pc] === op.LOCK ? this.operand(thread, pc, 2) : -1;
  }

  /** What the thread is about to await, or -1. */
  awaitedAddress(thread: number): number {
    const pc = this.threads.get(thread, T_PC);
    return this.code.words[pc] === op.AWAIT ? this.operand(thread, pc, 4) : -1;
  }

  /** The thread that this one is about to join, or -1. */
  joinedThread(thread: number): number {
    const pc = this.threads.get(thread, T_PC);
    return this.code.words[pc] === op.JOIN ? this.processes.slotOfHandle(this.operand(thread, pc, 4)) : -1;
  }

  private operand(thread: number, pc: number, field: number): number {
    return this.interpreter.low(this.threads.get(thread, T_FRAME), this.code.words[pc + field]!);
  }
}
