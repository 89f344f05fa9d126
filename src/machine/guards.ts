/** When visible operations may run, and in how many ways. */
import { compare32 } from './arithmetic.ts';
import type { Code } from './code.ts';
import type { Frames } from './frames.ts';
import { type Layout, T_FLAGS, T_FRAME, T_PC } from './layout.ts';
import type { Memory, Model } from './memory/memory.ts';
import { Objects } from './objects.ts';
import * as op from './opcodes.ts';
import { ACQUIRE, type OrderCode, RELEASES } from './order.ts';
import { MAX_CHOICES, type ProcessTable } from './process.ts';
import type { State } from './state.ts';
import type { SyncObjects } from './sync.ts';
import { Threads } from './thread.ts';
import { SIZES } from './type-codes.ts';

// What an operation may wait for. What never waits, and what waits only while own stores do, runs in one way.
const NEVER = 0;
const FOR_OWN_STORES = 1;
const ASK = 2;

/** By operation. */
function waitsUnder(model: Model): Uint8Array {
  const waits = new Uint8Array(op.OPERATIONS).fill(FOR_OWN_STORES);
  const ready = [op.STORE, op.BROADCAST, op.FREE, op.EXIT, op.WAKE, op.DESTROY, op.INIT];
  for (const operation of ready) waits[operation] = NEVER;
  for (const operation of [op.CHOOSE, op.JOIN, op.LOCK, op.SIGNAL, op.AWAIT]) waits[operation] = ASK;
  if (model === 'pslo') waits[op.LOAD] = ASK;
  return waits;
}

/** What guards look at; owned by the machine. */
export interface GuardParts {
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
    this.waits = waitsUnder(parts.memory.model);
  }

  /** Whether the operation at `pc` runs now, in one way, whatever its operands; if not, `choices` knows more. */
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
        const size = SIZES[code[pc + 2]!]!;
        const address = this.frames.low(frame, code[pc + 4]!);
        return memory.canLoad(thread, address, size) ? memory.loadChoices(thread, address, size) : 0;
      }
      case op.RMW: {
        const address = this.frames.low(frame, code[pc + 5]!);
        return memory.canAtomic(thread, address, SIZES[code[pc + 3]!]!, code[pc + 7]!) ? 1 : 0;
      }
      case op.CMPXCHG: {
        const address = this.frames.low(frame, code[pc + 5]!);
        return memory.canAtomic(thread, address, SIZES[code[pc + 2]!]!, waitOrder(code, pc)) ? 1 : 0;
      }
      case op.FENCE:
        return memory.canFence(thread, code[pc + 2]!) ? 1 : 0;
      case op.CHOOSE:
        return code[pc + 4]!;
      case op.JOIN: {
        const other = this.processes.slotOfHandle(this.frames.low(frame, code[pc + 4]!));
        // Joining something that is no thread is an error, not a wait.
        if (other < 0 || !this.threads.exists(other) || this.threads.get(other, T_FLAGS) !== 0) return 1;
        return this.threads.hasFinished(other) && memory.isDrained(other) ? 1 : 0;
      }
      case op.LOCK: {
        const mutex = this.frames.low(frame, code[pc + 2]!);
        return this.syncs.holder(mutex) < 0 && this.canLock(thread, mutex) ? 1 : 0;
      }
      case op.TRYLOCK:
        return this.canLock(thread, this.frames.low(frame, code[pc + 3]!)) ? 1 : 0;
      case op.SPAWN:
      case op.UNLOCK:
      case op.WAIT:
      case op.TIMEDWAIT:
      case op.BEGINATOMIC:
      case op.ENDATOMIC:
        return memory.isDrained(thread) ? 1 : 0;
      case op.SIGNAL: {
        const waiters = this.syncs.waiters(this.frames.low(frame, code[pc + 2]!));
        return Math.min(Math.max(1, waiters.length), MAX_CHOICES);
      }
      case op.AWAIT: {
        const address = this.frames.low(frame, code[pc + 4]!);
        return memory.canAtomic(thread, address, 4, code[pc + 9]!) && this.mayGoOn(frame, pc, address) ? 1 : 0;
      }
      default:
        throw new Error(`not a visible operation: ${code[pc]}`);
    }
  }

  /** Whether an `AWAIT` need not wait: its condition holds, it does not block, or it fails. */
  private mayGoOn(frame: number, pc: number, address: number): boolean {
    const { code, state, objects } = this;
    if (code[pc + 10] === 0 || objects.check(address, 4) !== 0) return true;
    state.read(address, 4);
    return compare32(code[pc + 5]!, 32, state.low, this.frames.low(frame, code[pc + 6]!)) !== 0;
  }

  private canLock(thread: number, mutex: number): boolean {
    return this.memory.canAtomic(thread, mutex, 1, ACQUIRE);
  }
}

/**
 * A compare-exchange waits for what the stronger of its two orders asks, since whether it will fail is only known once it
 * runs: the barrier stands before the instruction on every machine.
 */
export function waitOrder(code: Int32Array, pc: number): OrderCode {
  const failure = code[pc + 9]!;
  return RELEASES[failure] === 1 ? failure : code[pc + 8]!;
}
