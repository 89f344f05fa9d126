/**
 * Visible operations: what each does. One call of `execute` is one step of a thread and records one event. `guards.ts`
 * says when an operation may run; the memory defines what loads, stores and fences do.
 */
import { type Code, functionAt } from '../code/code.ts';
import {
  BAD_ATOMIC,
  BAD_JOIN,
  DESTROYED_AWAITED,
  DESTROYED_HELD,
  DESTROYED_IN_WAIT,
  DOUBLE_FREE,
  INITIALISED_AWAITED,
  INITIALISED_HELD,
  INITIALISED_IN_WAIT,
  JOINED_DETACHED,
  JOINED_TWICE,
  LIMIT_BUFFER,
  LIMIT_THREADS,
  TWO_MUTEXES,
  WRONG_UNLOCK,
} from '../code/error.ts';
import { writeInitialValue } from '../code/initial.ts';
import * as op from '../code/opcodes.ts';
import { SEQ_CST } from '../code/order.ts';
import * as ev from '../events/event.ts';
import type { Memory } from '../memory/memory.ts';
import { fail, hasStopped, reachLimit } from '../state/fault.ts';
import {
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
} from '../state/layout.ts';
import { choiceOf, type ProcessTable, type Step } from '../state/process.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import { Accesses, canonical } from './accesses.ts';
import { type Frames, STOPPED } from './frames.ts';
import { Membarrier } from './membarrier.ts';
import { Objects } from './objects.ts';
import type { OperationParts } from './operation-parts.ts';
import type { Runner } from './runner.ts';
import type { SyncObjects } from './sync.ts';
import { Upcoming } from './upcoming.ts';

export class Operations {
  readonly syncs: SyncObjects;
  private readonly code: Code;
  private readonly codeWords: Int32Array;
  private readonly state: State;
  private readonly layout: Layout;
  private readonly frames: Frames;
  private readonly processes: ProcessTable;
  private readonly memory: Memory;
  private readonly runner: Runner;
  private readonly events: ev.EventLog;
  private readonly threads: Threads;
  readonly objects: Objects;
  readonly accesses: Accesses;
  readonly upcoming: Upcoming;
  private readonly membarrier: Membarrier;

  constructor(parts: OperationParts) {
    this.code = parts.code;
    this.codeWords = parts.code.words;
    this.state = parts.state;
    this.layout = parts.layout;
    this.frames = parts.frames;
    this.processes = parts.processes;
    this.memory = parts.memory;
    this.syncs = parts.syncs;
    this.runner = parts.runner;
    this.events = parts.events;
    this.threads = new Threads(parts.state, parts.layout);
    this.objects = new Objects(parts.state, parts.layout);
    this.accesses = new Accesses(parts, this.objects);
    this.upcoming = new Upcoming(parts, this.threads);
    this.membarrier = new Membarrier(parts.state, this.threads, parts.processes, parts.memory);
  }

  /** Puts a thread at the entry of `func`; its arguments `count (type value)*` are at `args` in the code. */
  startThread(thread: number, site: number, func: number, caller: number, args: number): void {
    const { layout, threads } = this;
    threads.clear(thread);
    threads.set(thread, T_STATUS, RUNNABLE);
    threads.set(thread, T_TOP, layout.frames + thread * layout.limits.frameWords);
    threads.set(thread, T_STACK, layout.stacks + thread * layout.limits.stackBytes);
    threads.set(thread, T_HEAP, layout.heaps + thread * layout.limits.heapBytes);
    if (layout.threadLocalBytes > 0) this.startThreadLocals(thread);
    this.memory.synchronise(thread);
    const entry = this.frames.enter(thread, site, func, caller, args + 1, this.codeWords[args]!, -1, -1, -1);
    if (entry !== STOPPED) threads.set(thread, T_PC, entry);
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

  /** Runs the visible operation at `pc`, records its event and returns the next pc. */
  execute(thread: number, pc: number, index: number, step: Step): number {
    const { memory, state, frames, events } = this;
    const code = this.codeWords;
    const site = frames.userSite(thread, code[pc + op.SITE]!);
    const frame = this.threads.get(thread, T_FRAME);
    const at = events.append(ev.EVENT_OF[code[pc]!]!, thread, index, step, site);
    memory.chosen = choiceOf(step);
    switch (code[pc]) {
      case op.LOAD:
        return this.accesses.load(at, thread, frame, pc);
      case op.STORE:
        return this.accesses.store(at, thread, frame, pc, index);
      case op.RMW:
        return this.accesses.readModifyWrite(at, thread, frame, pc);
      case op.CMPXCHG:
        return this.accesses.compareExchange(at, thread, frame, pc);
      case op.FENCE:
        events.words[at + ev.E_ORDER] = code[pc + op.FENCE_ORDER]!;
        memory.fence(thread, code[pc + op.FENCE_ORDER]!);
        return pc + op.FENCE_LENGTH;
      case op.DRAIN: {
        const record = frames.low(frame, code[pc + op.DRAIN_RECORD]!);
        events.words[at + ev.E_ORDER] = SEQ_CST;
        const isLeft = this.membarrier.run(thread, record, code[pc + op.DRAIN_IS_FIRST] === 1);
        state.set(frame + code[pc + op.DRAIN_DEST]!, isLeft ? 1 : 0);
        return pc + op.DRAIN_LENGTH;
      }
      case op.CHOOSE: {
        const chosen = canonical(code[pc + op.CHOOSE_TYPE]!, choiceOf(step));
        events.words[at + ev.E_CHOICE] = chosen;
        frames.set(frame, code[pc + op.CHOOSE_TYPE]!, code[pc + op.CHOOSE_DEST]!, chosen, 0);
        return pc + op.CHOOSE_LENGTH;
      }
      case op.SPAWN:
        return this.spawn(at, thread, frame, pc, site);
      case op.JOIN:
        return this.join(at, thread, frame, pc, site);
      case op.LOCK: {
        const mutex = frames.low(frame, code[pc + op.LOCK_MUTEX]!);
        if (!this.beginSync(at, thread, mutex)) return pc;
        this.syncs.setHolder(mutex, thread);
        memory.synchronise(thread);
        return pc + op.LOCK_LENGTH;
      }
      case op.TRYLOCK: {
        const mutex = frames.low(frame, code[pc + op.TRYLOCK_MUTEX]!);
        if (!this.beginSync(at, thread, mutex)) return pc;
        const free = this.syncs.holder(mutex) < 0;
        if (free) {
          this.syncs.setHolder(mutex, thread);
          events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
        }
        memory.synchronise(thread);
        state.set(frame + code[pc + op.TRYLOCK_DEST]!, free ? 1 : 0);
        return pc + op.TRYLOCK_LENGTH;
      }
      case op.UNLOCK: {
        const mutex = frames.low(frame, code[pc + op.UNLOCK_MUTEX]!);
        return this.beginSync(at, thread, mutex) && this.unlock(thread, site, mutex) ? pc + op.UNLOCK_LENGTH : pc;
      }
      case op.AWAIT:
        return this.accesses.await(at, thread, frame, pc);
      case op.WAKE: {
        const condition = frames.low(frame, code[pc + op.WAKE_CONDITION]!);
        if (!this.beginSync(at, thread, condition)) return pc;
        const isWoken = this.threads.get(thread, T_WAIT) === 0;
        if (isWoken) events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
        this.threads.set(thread, T_WAIT, 0);
        state.set(frame + code[pc + op.WAKE_DEST]!, isWoken ? 0 : 1);
        return pc + op.WAKE_LENGTH;
      }
      case op.DESTROY: {
        const object = frames.low(frame, code[pc + op.DESTROY_OBJECT]!);
        if (!this.beginSync(at, thread, object)) return pc;
        if (this.syncs.holder(object) >= 0) fail(state, DESTROYED_HELD, thread, site, object);
        else if (this.syncs.waiters(object).length > 0) fail(state, DESTROYED_AWAITED, thread, site, object);
        else if (this.upcoming.isInWait(object)) fail(state, DESTROYED_IN_WAIT, thread, site, object);
        return pc + op.DESTROY_LENGTH;
      }
      case op.INIT: {
        const object = frames.low(frame, code[pc + op.INIT_OBJECT]!);
        if (!this.beginSync(at, thread, object)) return pc;
        if (frames.low(frame, code[pc + op.INIT_IS_NEW]!) !== 0) this.syncs.forget(object);
        else if (this.syncs.holder(object) >= 0) fail(state, INITIALISED_HELD, thread, site, object);
        else if (this.syncs.waiters(object).length > 0) fail(state, INITIALISED_AWAITED, thread, site, object);
        else if (this.upcoming.isInWait(object)) fail(state, INITIALISED_IN_WAIT, thread, site, object);
        return pc + op.INIT_LENGTH;
      }
      case op.LIFETIME:
        return this.lifetime(at, frame, pc);
      case op.WAIT:
      case op.TIMEDWAIT:
        return this.wait(at, thread, frame, pc, site);
      case op.SIGNAL: {
        const condition = frames.low(frame, code[pc + op.SIGNAL_CONDITION]!);
        if (!this.beginSync(at, thread, condition)) return pc;
        const woken = this.syncs.waiters(condition)[choiceOf(step)] ?? -1;
        events.words[at + ev.E_OTHER] = woken;
        if (woken >= 0) {
          events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
          this.syncs.wake(woken);
        }
        return pc + op.SIGNAL_LENGTH;
      }
      case op.BROADCAST: {
        const condition = frames.low(frame, code[pc + op.BROADCAST_CONDITION]!);
        if (!this.beginSync(at, thread, condition)) return pc;
        const woken = this.syncs.waiters(condition);
        if (woken.length > 0) events.words[at + ev.E_FLAGS] = ev.SUCCEEDED;
        for (const other of woken) this.syncs.wake(other);
        return pc + op.BROADCAST_LENGTH;
      }
      case op.FREE:
        return this.free(
          at,
          thread,
          site,
          frames.low(frame, code[pc + op.FREE_ADDRESS]!),
          code[pc + op.FREE_KIND]!,
          index,
        )
          ? pc + op.FREE_LENGTH
          : pc;
      case op.EXIT:
        events.words[at + ev.E_STATUS] = frames.low(frame, code[pc + op.EXIT_STATUS]!);
        state.set(H_EXITED, 1);
        return pc;
      case op.BEGINATOMIC:
        if (state.words[H_ATOMIC] !== 0) fail(state, BAD_ATOMIC, thread, site);
        state.set(H_ATOMIC, thread + 1);
        memory.synchronise(thread);
        return pc + op.BEGINATOMIC_LENGTH;
      case op.ENDATOMIC:
        if (state.words[H_ATOMIC] !== thread + 1) fail(state, BAD_ATOMIC, thread, site);
        state.set(H_ATOMIC, 0);
        memory.synchronise(thread);
        return pc + op.ENDATOMIC_LENGTH;
      default:
        throw new Error(`not a visible operation: ${code[pc]}`);
    }
  }

  private spawn(at: number, thread: number, frame: number, pc: number, site: number): number {
    const { state, frames, threads, processes } = this;
    const code = this.codeWords;
    const child = threads.get(thread, T_CHILDREN) + 1;
    const slot = processes.childSlot(thread, child);
    if (slot < 0) return this.limit(LIMIT_THREADS, pc);
    this.events.words[at + ev.E_OTHER] = slot;
    threads.set(thread, T_CHILDREN, child);
    this.startThread(
      slot,
      site,
      functionAt(frames.low(frame, code[pc + op.SPAWN_CALLEE]!)),
      frame,
      pc + op.SPAWN_COUNT,
    );
    // Only now: the register may be one of the arguments.
    state.set(frame + code[pc + op.SPAWN_DEST]!, processes.handle(slot));
    if (!hasStopped(state)) this.runner.advance(slot, threads.get(slot, T_PC));
    return pc + op.SPAWN_LIST + op.SPAWN_EACH * code[pc + op.SPAWN_COUNT]!;
  }

  private join(at: number, thread: number, frame: number, pc: number, site: number): number {
    const { frames, threads } = this;
    const code = this.codeWords;
    const handle = frames.low(frame, code[pc + op.JOIN_THREAD]!);
    const slot = this.processes.slotOfHandle(handle);
    this.events.words[at + ev.E_OTHER] = slot;
    if (slot < 0 || !threads.exists(slot)) {
      fail(this.state, BAD_JOIN, thread, site, handle);
      return pc;
    }
    const flags = threads.get(slot, T_FLAGS);
    if (flags !== 0) {
      fail(this.state, (flags & DETACHED) !== 0 ? JOINED_DETACHED : JOINED_TWICE, thread, site, handle);
      return pc;
    }
    threads.set(slot, T_FLAGS, JOINED);
    this.memory.synchronise(thread);
    const type = code[pc + op.JOIN_TYPE]!;
    const dest = code[pc + op.JOIN_DEST]!;
    if (type >= 0) frames.set(frame, type, dest, threads.get(slot, T_RESULT), threads.get(slot, T_RESULT + 1));
    if (type >= 0 && this.accesses.definedness.bits.isTracked)
      this.accesses.definedness.joined(slot, frame, type, dest);
    return pc + op.JOIN_LENGTH;
  }

  private wait(at: number, thread: number, frame: number, pc: number, site: number): number {
    const { frames, threads } = this;
    const code = this.codeWords;
    const condition = frames.low(frame, code[pc + op.WAIT_CONDITION]!);
    const mutex = frames.low(frame, code[pc + op.WAIT_MUTEX]!);
    if (!this.beginSync(at, thread, condition)) return pc;
    this.events.words[at + ev.E_MUTEX] = mutex;
    const other = this.syncs.waiters(condition).find((waiter) => this.upcoming.relockedMutex(waiter) !== mutex);
    if (other !== undefined) {
      fail(this.state, TWO_MUTEXES, thread, site, other);
      return pc;
    }
    if (!this.unlock(thread, site, mutex)) return pc;
    threads.set(thread, T_WAIT, condition);
    if (code[pc] === op.WAIT) threads.set(thread, T_STATUS, WAITING);
    return pc + op.WAIT_LENGTH;
  }

  private lifetime(at: number, frame: number, pc: number): number {
    const { frames, objects } = this;
    const code = this.codeWords;
    const event = this.events.words;
    const address = frames.low(frame, code[pc + op.LIFETIME_ADDRESS]!);
    event[at + ev.E_ADDRESS] = address;
    event[at + ev.E_SIZE] = objects.extentOf(address, frames.low(frame, code[pc + op.LIFETIME_SIZE]!));
    event[at + ev.E_LIFETIME] = code[pc + op.LIFETIME_WHAT]!;
    return pc + op.LIFETIME_LENGTH;
  }

  private free(at: number, thread: number, site: number, address: number, kind: number, index: number): boolean {
    const { state, objects, memory, events } = this;
    const isHeap = kind === op.HEAP_OBJECT;
    // free(NULL), and the end of a local that was never allocated, do nothing, but still have an event.
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
      events.words[at + ev.E_FLAGS] = ev.WROTE_MEMORY | ev.ENDS_OBJECT;
      objects.end(address, site);
    }
    return true;
  }

  /** The side effects of a commit: a store must not hit a dead object; a free ends one. */
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

  private beginSync(at: number, thread: number, object: number): boolean {
    this.events.words[at + ev.E_ADDRESS] = object;
    return this.accesses.check(at, thread, object, 1);
  }

  private unlock(thread: number, site: number, mutex: number): boolean {
    if (this.syncs.holder(mutex) !== thread) {
      fail(this.state, WRONG_UNLOCK, thread, site, mutex);
      return false;
    }
    this.syncs.setHolder(mutex, -1);
    this.memory.afterUnlock(thread);
    return true;
  }
}
