/** When visible operations may run, and in how many ways. */

import type { ModelDescription } from '../../models/model.ts';
import { compare32 } from '../code/arithmetic.ts';
import type { Code } from '../code/code.ts';
import * as op from '../code/opcodes.ts';
import { ACQUIRE, type OrderCode, RELEASES } from '../code/order.ts';
import { SIZES } from '../code/type-codes.ts';
import type { Memory } from '../memory/memory.ts';
import { H_ATOMIC, type Layout, T_FLAGS, T_FRAME, T_PC } from '../state/layout.ts';
import { MAX_CHOICES, type ProcessTable } from '../state/process.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import type { Frames } from './frames.ts';
import { Membarrier } from './membarrier.ts';
import { Objects } from './objects.ts';
import type { SyncObjects } from './sync.ts';

// What an operation may wait for. The first two kinds run in exactly one way once they run.
const NEVER = 0;
const FOR_OWN_STORES = 1;
const ASK = 2;

/** By operation. */
function waitsUnder({ loadsMayBeStale, isAxiomatic }: ModelDescription): Uint8Array {
  const waits = new Uint8Array(op.OPERATIONS).fill(FOR_OWN_STORES);
  const ready = [op.STORE, op.BROADCAST, op.FREE, op.EXIT, op.WAKE, op.DESTROY, op.INIT, op.LIFETIME];
  for (const operation of ready) waits[operation] = NEVER;
  for (const operation of [op.CHOOSE, op.JOIN, op.LOCK, op.SIGNAL, op.AWAIT, op.DRAIN]) waits[operation] = ASK;
  if (loadsMayBeStale) waits[op.LOAD] = ASK;
  if (isAxiomatic) for (const operation of [op.STORE, op.RMW, op.CMPXCHG, op.BEGINATOMIC]) waits[operation] = ASK;
  return waits;
}

/** What guards read; owned by the machine. */
interface GuardParts {
  readonly code: Code;
  readonly state: State;
  readonly layout: Layout;
  readonly frames: Frames;
  readonly processes: ProcessTable;
  readonly memory: Memory;
  readonly syncs: SyncObjects;
}

export class Guards {
  private readonly code: Int32Array;
  private readonly words: Int32Array;
  private readonly state: State;
  private readonly objects: Objects;
  private readonly frames: Frames;
  private readonly processes: ProcessTable;
  private readonly memory: Memory;
  private readonly syncs: SyncObjects;
  private readonly threads: Threads;
  private readonly membarrier: Membarrier;
  private readonly waits: Uint8Array;

  constructor(parts: GuardParts) {
    this.code = parts.code.words;
    this.words = parts.state.words;
    this.state = parts.state;
    this.objects = new Objects(parts.state, parts.layout);
    this.frames = parts.frames;
    this.processes = parts.processes;
    this.memory = parts.memory;
    this.syncs = parts.syncs;
    this.threads = new Threads(parts.state, parts.layout);
    this.membarrier = new Membarrier(parts.state, this.threads, parts.processes, parts.memory);
    this.waits = waitsUnder(parts.memory.model);
  }

  /** Whether the operation at `pc` can run now, in one way, whatever its operands; if not, ask `choices`. */
  isReady(pc: number, isDrained: boolean): boolean {
    const waits = this.waits[this.code[pc]!];
    return waits === NEVER || (isDrained && waits === FOR_OWN_STORES);
  }

  /** In how many ways the thread's next operation, which is not `isReady`, could run now; 0 if it must wait. */
  choices(thread: number): number {
    const at = this.threads.at(thread);
    const pc = this.words[at + T_PC]!;
    const frame = this.words[at + T_FRAME]!;
    const { memory, code } = this;
    switch (code[pc]) {
      case op.LOAD: {
        const size = SIZES[code[pc + op.LOAD_TYPE]!]!;
        const address = this.frames.low(frame, code[pc + op.LOAD_ADDRESS]!);
        return memory.canLoad(thread, address, size) ? memory.loadChoices(thread, address, size) : 0;
      }
      case op.RMW: {
        const address = this.frames.low(frame, code[pc + op.RMW_ADDRESS]!);
        const size = SIZES[code[pc + op.RMW_TYPE]!]!;
        const runs = memory.canAtomic(thread, address, size, code[pc + op.RMW_ORDER]!);
        return runs ? this.sources(thread, address, size) : 0;
      }
      case op.CMPXCHG: {
        const address = this.frames.low(frame, code[pc + op.CMPXCHG_ADDRESS]!);
        const size = SIZES[code[pc + op.CMPXCHG_TYPE]!]!;
        return memory.canAtomic(thread, address, size, waitOrder(code, pc)) ? this.sources(thread, address, size) : 0;
      }
      case op.FENCE:
        return memory.canFence(thread, code[pc + op.FENCE_ORDER]!) ? 1 : 0;
      case op.DRAIN: {
        const record = this.frames.low(frame, code[pc + op.DRAIN_RECORD]!);
        return this.membarrier.choices(thread, record, code[pc + op.DRAIN_IS_FIRST] === 1);
      }
      case op.CHOOSE:
        return code[pc + op.CHOOSE_COUNT]!;
      case op.JOIN: {
        const other = this.processes.slotOfHandle(this.frames.low(frame, code[pc + op.JOIN_THREAD]!));
        // Joining an invalid thread is an error, not a wait.
        if (other < 0 || !this.threads.exists(other) || this.threads.get(other, T_FLAGS) !== 0) return 1;
        return this.threads.hasFinished(other) && memory.isDrained(other) ? 1 : 0;
      }
      case op.LOCK: {
        const mutex = this.frames.low(frame, code[pc + op.LOCK_MUTEX]!);
        return this.syncs.holder(mutex) < 0 && this.canLock(thread, mutex) ? 1 : 0;
      }
      case op.TRYLOCK:
        return this.canLock(thread, this.frames.low(frame, code[pc + op.TRYLOCK_MUTEX]!)) ? 1 : 0;
      case op.SPAWN:
      case op.UNLOCK:
      case op.WAIT:
      case op.TIMEDWAIT:
      case op.ENDATOMIC:
        return memory.isDrained(thread) ? 1 : 0;
      case op.BEGINATOMIC: {
        // While another thread is in a section, this operation waits if the model is axiomatic, else the whole thread.
        const inside = this.words[H_ATOMIC]!;
        return (inside === 0 || inside === thread + 1) && memory.isDrained(thread) ? 1 : 0;
      }
      case op.SIGNAL: {
        const waiters = this.syncs.waiters(this.frames.low(frame, code[pc + op.SIGNAL_CONDITION]!));
        return Math.min(Math.max(1, waiters.length), MAX_CHOICES);
      }
      case op.AWAIT: {
        const address = this.frames.low(frame, code[pc + op.AWAIT_ADDRESS]!);
        return memory.canAtomic(thread, address, 4, code[pc + op.AWAIT_ORDER]!) && this.mayGoOn(frame, pc, address)
          ? this.sources(thread, address, 4)
          : 0;
      }
      case op.STORE:
        return memory.storeChoices(
          this.frames.low(frame, code[pc + op.STORE_ADDRESS]!),
          SIZES[code[pc + op.STORE_TYPE]!]!,
        );
      default:
        throw new Error(`not a visible operation: ${code[pc]}`);
    }
  }

  /** How many writes a read-modify-write may read: the newest one, unless the model is axiomatic. */
  private sources(thread: number, address: number, size: number): number {
    const { memory } = this;
    return memory.model.isAxiomatic ? memory.loadChoices(thread, address, size) : 1;
  }

  /** Whether an `AWAIT` need not wait: its condition holds, it does not block, or it will fail. */
  private mayGoOn(frame: number, pc: number, address: number): boolean {
    const { code, state, objects } = this;
    if (code[pc + op.AWAIT_BLOCKS] === 0 || objects.check(address, 4) !== 0) return true;
    state.read(address, 4);
    return (
      compare32(code[pc + op.AWAIT_PREDICATE]!, 32, state.low, this.frames.low(frame, code[pc + op.AWAIT_BOUND]!)) !== 0
    );
  }

  private canLock(thread: number, mutex: number): boolean {
    return this.memory.canAtomic(thread, mutex, 1, ACQUIRE);
  }
}

/**
 * A compare-exchange waits as the stronger of its two orders requires, since only running it shows whether it fails: on
 * hardware, the barrier always comes before the instruction.
 */
export function waitOrder(code: Int32Array, pc: number): OrderCode {
  const failure = code[pc + op.CMPXCHG_FAILURE_ORDER]!;
  return RELEASES[failure] === 1 ? failure : code[pc + op.CMPXCHG_ORDER]!;
}
