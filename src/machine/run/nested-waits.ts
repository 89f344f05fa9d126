/**
 * Read-modify-writes that fail, whose thread then waits for the same place: `while (xchg(&l, 1)) while (l);`.
 *
 * The failure leads to a load that finds the same value and so is idle. Suppose that whatever value the load finds, the
 * thread either keeps waiting, as it would had it failed only now, or tries again as if it had not failed. Then it may
 * wait in front of the failure, as in front of an idle read. docs/decisions/0030-nested-waits.md has the argument.
 *
 * Which values the load can find is not known in advance. So `agrees` is asked for every pair of values that the place
 * has had; if it does not hold, the search has to do without this kind of waiting.
 */
import type { IdleRead } from '../code/idle-reads.ts';
import type { NestedReads } from '../code/nested-reads.ts';
import * as op from '../code/opcodes.ts';
import { isSameBytes } from '../events/effects.ts';
import { hasStopped } from '../state/fault.ts';
import { RUNNABLE, SPINNING, T_PC, T_STATUS, T_WRITES } from '../state/layout.ts';
import { stepOf } from '../state/process.ts';
import type { Recalling } from './thread-past.ts';
import { ThreadWords } from './thread-words.ts';

/** Where the load leads: back to itself, back to the operation as if that had not failed, or anywhere else. */
type Way = 'stays' | 'returns' | 'leaves';

export interface Waking extends Recalling {
  readonly code: { readonly words: Int32Array };
  wake(thread: number): void;
}

export class NestedWaits {
  /** Where in the code such operations may be. */
  readonly places: NestedReads;
  private readonly machine: Waking;
  private readonly reads: ReadonlyMap<number, IdleRead>;
  private readonly passFences: (thread: number) => void;
  private readonly outer: ThreadWords;
  private readonly inner: ThreadWords;
  private readonly present: ThreadWords;

  constructor(
    machine: Waking,
    places: NestedReads,
    reads: ReadonlyMap<number, IdleRead>,
    passFences: (thread: number) => void,
  ) {
    this.machine = machine;
    this.places = places;
    this.reads = reads;
    this.passFences = passFences;
    this.outer = new ThreadWords(machine);
    this.inner = new ThreadWords(machine);
    this.present = new ThreadWords(machine);
  }

  /** Whether the thread's next operation, with the bytes now in memory, fails and leads to a load that leads back. */
  isNested(thread: number): boolean {
    const { machine, outer, inner } = this;
    const { state, depth } = machine;
    const pc = machine.threads.get(thread, T_PC);
    const live = this.places.get(pc);
    if (live === undefined) return false;
    const mark = state.mark;
    outer.keep(thread, live);
    const answer = this.fails(thread, inner) && this.way(thread, pc, depth) !== 'leaves';
    machine.undo(depth);
    state.rewind(mark);
    return answer;
  }

  /** The same with these bytes in the operation's place. */
  isNestedWith(thread: number, address: number, bytes: Uint8Array): boolean {
    const { state } = this.machine;
    const mark = state.mark;
    this.put(address, bytes);
    const answer = this.isNested(thread);
    state.rewind(mark);
    return answer;
  }

  /**
   * For a thread whose next operation is nested with the bytes `then`: whether, if it takes the operation then and its
   * load finds the bytes `now`, it does what it would do had it taken the operation only now, or not at all. Both are
   * bytes of the operation's place.
   */
  agrees(thread: number, address: number, then: Uint8Array, now: Uint8Array): boolean {
    const { machine, outer, inner, present } = this;
    const { state, threads, depth } = machine;
    const pc = threads.get(thread, T_PC);
    const mark = state.mark;
    outer.keep(thread, this.places.get(pc)!);
    this.put(address, then);
    if (!this.fails(thread, inner)) throw new Error('this operation is not nested');
    const load = threads.get(thread, T_PC);
    this.put(address, now);
    const way = this.way(thread, pc, depth);
    machine.undo(depth);
    let answer = way === 'returns';
    if (way === 'stays') {
      this.put(address, now);
      answer = this.fails(thread, present) && threads.get(thread, T_PC) === load && present.equals(inner);
      machine.undo(depth);
    }
    state.rewind(mark);
    return answer;
  }

  private put(address: number, bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) this.machine.state.write(address + i, 1, bytes[i]!, 0);
  }

  /**
   * Takes the thread's next operation and the fences after it. Returns whether it changed nothing, not even private
   * memory, and leads to a load that may be idle; if so, `there` has the words of the thread at that load.
   */
  private fails(thread: number, there: ThreadWords): boolean {
    const { machine } = this;
    const { state, threads, code } = machine;
    const writes = threads.get(thread, T_WRITES);
    machine.step(stepOf(thread));
    this.passFences(thread);
    if (hasStopped(state) || threads.get(thread, T_STATUS) !== RUNNABLE) return false;
    const pc = threads.get(thread, T_PC);
    const read = this.reads.get(pc);
    if (read === undefined || code.words[pc] !== op.LOAD || threads.get(thread, T_WRITES) !== writes) return false;
    return there.keep(thread, read.live);
  }

  /** Takes the next load and the fences after it. `failed`: the event of the failed operation; `outer`: its pc. */
  private way(thread: number, outer: number, failed: number): Way {
    const { machine, present, reads } = this;
    const { state, threads, events } = machine;
    const { class: same, live } = reads.get(threads.get(thread, T_PC))!;
    const writes = threads.get(thread, T_WRITES);
    const load = machine.depth;
    machine.step(stepOf(thread));
    if (hasStopped(state) || !isSameBytes(events, load, failed)) return 'leaves';
    this.passFences(thread);
    const sleeps = threads.get(thread, T_STATUS) === SPINNING;
    if (sleeps && !hasStopped(state)) {
      machine.wake(thread);
      this.passFences(thread);
    }
    if (hasStopped(state) || threads.get(thread, T_STATUS) !== RUNNABLE) return 'leaves';
    // Waking counts as a write.
    if (threads.get(thread, T_WRITES) !== writes + (sleeps ? 1 : 0)) return 'leaves';
    const pc = threads.get(thread, T_PC);
    if (pc === outer) {
      present.keep(thread, this.places.get(outer)!);
      return present.equalsButWrites(this.outer) ? 'returns' : 'leaves';
    }
    if (reads.get(pc)?.class !== same) return 'leaves';
    present.keep(thread, live);
    return present.equalsButWrites(this.inner) ? 'stays' : 'leaves';
  }
}
