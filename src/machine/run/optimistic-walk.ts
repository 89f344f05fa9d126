/**
 * Finds out whether a load begins an optimistic read, as in a seqlock:
 *
 *     do { s = load(seq); … loads … } while (load(seq) != s);
 *
 * s is the *stamp*, and the second load of the same bytes *validates* it. The thread is followed from the first load
 * on, without knowing what the loads in between will read. It must reach the validation whatever they read; and if the
 * validation then finds another value than the stamp, it must come back to the first load in its present state.
 *
 * To know that for all values, each word of its frames has a tag. A step that needs more than is known ends the walk:
 * then there is no such read. docs/decisions/0045-optimistic-reads.md says what it is good for.
 */
import { sizeOf } from '../../program/types.ts';
import { isDivision, normalise } from '../code/arithmetic.ts';
import { type Code, functionAt } from '../code/code.ts';
import type { IdleRead } from '../code/idle-reads.ts';
import { LiveWords } from '../code/live-words.ts';
import * as op from '../code/opcodes.ts';
import { ACQUIRE, orderCode } from '../code/order.ts';
import { BITS, FLOAT, I1, SIZES, WIDE } from '../code/type-codes.ts';
import type { Memory } from '../memory/memory.ts';
import { type Layout, T_FRAME, T_HEAP, T_PC, T_STACK, T_TOP, T_UNDEFINED } from '../state/layout.ts';
import type { State } from '../state/state.ts';
import type { Threads } from '../state/thread.ts';
import { Evaluator } from './evaluate.ts';
import { type Frames, STOPPED } from './frames.ts';
import { Objects } from './objects.ts';

/** What is known of a word: its value; that it is the stamp; that it is not the stamp; nothing. */
const KNOWN = 0;
const STAMP = 1;
const CHANGED = 2;
const UNKNOWN = 3;

const RELAXED = orderCode('relaxed');
const EQUAL = op.PREDICATES.indexOf('eq');
const UNEQUAL = op.PREDICATES.indexOf('ne');
const INJECTIVE: readonly number[] = (['zext', 'sext'] as const).map((name) => op.CAST_OPERATORS.indexOf(name));

/** How many instructions, and how many loads and fences, are followed. */
const MOST_INSTRUCTIONS = 500;
const MOST_OPERATIONS = 32;

/** Words of a thread that must be as they were, besides its frames. */
const FIELDS = [T_FRAME, T_TOP, T_STACK, T_HEAP];
const FRAME_FIELDS = [op.FRAME_RETURN, op.FRAME_CALLER, op.FRAME_DEST, op.FRAME_STACK];

export interface Followed {
  readonly code: Code;
  readonly state: State;
  readonly layout: Layout;
  readonly threads: Threads;
  readonly memory: Memory;
}

/** The loads, by pc, in front of which a thread may wait because of what it would read. */
export interface WaitingReads {
  readonly idle: ReadonlyMap<number, IdleRead>;
  readonly retries: ReadonlySet<number>;
}

export class OptimisticWalk {
  /** What the last walk found: the bytes of the stamp, and how many operations later it is validated. */
  address = 0;
  size = 0;
  operations = 0;
  /** One of the operations may have to wait for stores of the thread. */
  mayWait = false;
  private readonly machine: Followed;
  private readonly frames: Frames;
  private readonly waits: WaitingReads;
  private readonly evaluator: Evaluator;
  private readonly objects: Objects;
  private readonly live: LiveWords;
  /** By word of the state; words without a tag are known. */
  private readonly tags = new Map<number, number>();
  private before = new Int32Array(64);
  private isValidated = false;
  private seen = 0;
  /** The last load in between, if a thread may have to wait in front of it. */
  private idle: IdleRead | undefined;
  private idleAddress = 0;
  /** What the validation finds in this walk: the stamp, or something else. */
  private found = CHANGED;
  /** Whether the walk asks only if the thread comes back, validation or not. */
  private isForDoom = false;
  /** The loads of that walk, as address and size. */
  readonly loads: number[] = [];

  constructor(machine: Followed, frames: Frames, waits: WaitingReads) {
    this.machine = machine;
    this.waits = waits;
    this.frames = frames;
    this.evaluator = new Evaluator(machine.code, machine.state, frames);
    this.objects = new Objects(machine.state, machine.layout);
    this.live = new LiveWords(machine.code);
  }

  /** Whether the thread's next operation, a load, begins an optimistic read. */
  begins(thread: number): boolean {
    const pc = this.machine.threads.get(thread, T_PC);
    if (!this.canBegin(thread, pc)) return false;
    this.isForDoom = false;
    // A loop may retry for some stamps although they are valid.
    return this.comesBack(thread, pc, CHANGED) && !this.comesBack(thread, pc, STAMP);
  }

  /**
   * Whether the thread's next operation, a load, is in vain with what it would find now: whatever all later loads find,
   * the thread comes back to it as it is. Then `loads` are those on the way.
   */
  isDoomed(thread: number): boolean {
    const pc = this.machine.threads.get(thread, T_PC);
    if (!this.canBegin(thread, pc)) return false;
    this.isForDoom = true;
    this.loads.length = 0;
    this.loads.push(this.address, this.size);
    return this.comesBack(thread, pc, CHANGED) && this.comesBack(thread, pc, STAMP);
  }

  private canBegin(thread: number, pc: number): boolean {
    const { machine, objects } = this;
    if (machine.threads.get(thread, T_UNDEFINED) !== 0) return false;
    if (!this.canLoad(thread, pc) || FLOAT[machine.code.words[pc + op.LOAD_TYPE]!] === 1) return false;
    this.address = this.addressAt(thread, pc);
    this.size = SIZES[machine.code.words[pc + op.LOAD_TYPE]!]!;
    return objects.checkPlain(this.address, this.size) === 0;
  }

  /** Whether the thread comes back if the validation finds this. */
  private comesBack(thread: number, start: number, found: number): boolean {
    const { state } = this.machine;
    const { mark } = state;
    const answer = this.follow(thread, start, found, mark);
    state.rewind(mark);
    return answer;
  }

  private follow(thread: number, start: number, found: number, mark: number): boolean {
    const code = this.machine.code.words;
    this.tags.clear();
    this.found = found;
    this.isValidated = false;
    this.seen = 0;
    this.idle = undefined;
    this.mayWait = false;
    this.readStamp(thread, start);
    let pc = start + op.LOAD_LENGTH;
    for (let left = MOST_INSTRUCTIONS; left > 0; left--) {
      if (code[pc]! < op.VISIBLE) pc = this.local(thread, pc);
      else if (pc === start && (this.isValidated || this.isForDoom) && this.isBack(thread, start, mark)) return true;
      else pc = this.visible(thread, pc);
      if (pc === STOPPED) return false;
    }
    return false;
  }

  // ---- loads and fences

  /** Whether the load at `pc` is atomic, at a known address, of a variable that exists as long as the program. */
  private canLoad(thread: number, pc: number): boolean {
    const { machine } = this;
    const code = machine.code.words;
    if (code[pc + op.LOAD_ORDER]! < RELAXED || this.tag(thread, code[pc + op.LOAD_ADDRESS]!) >= CHANGED) return false;
    const address = this.addressAt(thread, pc);
    const isGlobal = address > 0 && address < machine.layout.threadLocals;
    return isGlobal && this.objects.check(address, SIZES[code[pc + op.LOAD_TYPE]!]!) === 0;
  }

  private addressAt(thread: number, pc: number): number {
    const { threads, code } = this.machine;
    return this.frames.low(threads.get(thread, T_FRAME), code.words[pc + op.LOAD_ADDRESS]!);
  }

  private readStamp(thread: number, pc: number): void {
    const { memory } = this.machine;
    let [low, high] = [0, 0];
    for (let i = 0; i < this.size; i++) {
      const byte = memory.byte(thread, this.address + i);
      if (i < 4) low |= byte << (8 * i);
      else high |= byte << (8 * (i - 4));
    }
    this.setLoaded(thread, pc, low, high, STAMP);
  }

  private setLoaded(thread: number, pc: number, low: number, high: number, tag: number): void {
    const { threads, code } = this.machine;
    const type = code.words[pc + op.LOAD_TYPE]!;
    const bits = BITS[type]!;
    const frame = threads.get(thread, T_FRAME);
    const dest = code.words[pc + op.LOAD_DEST]!;
    this.frames.set(frame, type, dest, bits < 32 ? normalise(low, bits) : low, high);
    this.setTag(frame, dest, type, tag);
  }

  /** Follows a load or a fence. */
  private visible(thread: number, pc: number): number {
    const { code, memory, threads } = this.machine;
    const words = code.words;
    if (!this.isValidated && ++this.seen > MOST_OPERATIONS) return STOPPED;
    if (words[pc] === op.FENCE) {
      if (words[pc + op.FENCE_ORDER]! > ACQUIRE) this.mayWait ||= !memory.isDrained(thread);
      return pc + op.FENCE_LENGTH;
    }
    if (words[pc] !== op.LOAD || !this.canLoad(thread, pc)) return STOPPED;
    const address = this.addressAt(thread, pc);
    const size = SIZES[words[pc + op.LOAD_TYPE]!]!;
    this.mayWait ||= !memory.isClear(thread, address, size);
    if (this.isForDoom) this.loads.push(address, size);
    if (address === this.address && size === this.size && !this.isValidated) {
      this.isValidated = true;
      this.operations = this.seen;
      this.readStamp(thread, pc);
      if (this.found === CHANGED) {
        // Some other value; its tag says that it may be any.
        const frame = threads.get(thread, T_FRAME);
        const dest = words[pc + op.LOAD_DEST]!;
        this.machine.state.set(frame + dest, this.frames.low(frame, dest) ^ 1);
        this.setTag(frame, dest, words[pc + op.LOAD_TYPE]!, CHANGED);
      }
    } else if (address < this.address + this.size && this.address < address + size) return STOPPED;
    else this.setLoaded(thread, pc, 0, 0, UNKNOWN);
    // Where the thread would have to wait on the way does not matter if it does not set out.
    if (this.isForDoom) return pc + op.LOAD_LENGTH;
    if (!this.isValidated && this.waits.retries.has(pc)) return STOPPED;
    // A load in between must not lead back to itself: its thread would wait there.
    const { idle } = this.waits;
    const isSame = idle.get(pc)?.class === this.idle?.class && address === this.idleAddress;
    const leadsBack = this.idle !== undefined && isSame;
    this.idle = this.isValidated ? undefined : idle.get(pc);
    this.idleAddress = address;
    return leadsBack ? STOPPED : pc + op.LOAD_LENGTH;
  }

  // ---- local instructions

  /** Follows a local instruction, and returns the next one. */
  private local(thread: number, pc: number): number {
    const { machine, frames, evaluator } = this;
    const code = machine.code.words;
    const frame = machine.threads.get(thread, T_FRAME);
    switch (code[pc]) {
      case op.MOVE:
        this.copy(thread, code[pc + op.MOVE_TYPE]!, code[pc + op.MOVE_DEST]!, code[pc + op.MOVE_VALUE]!);
        return pc + op.MOVE_LENGTH;
      case op.BINARY: {
        const left = this.tag(thread, code[pc + op.BINARY_LEFT]!);
        const right = this.tag(thread, code[pc + op.BINARY_RIGHT]!);
        if (isDivision(code[pc + op.BINARY_OPERATOR]!)) return STOPPED;
        evaluator.binary(thread, frame, pc);
        this.setTag(frame, code[pc + op.BINARY_DEST]!, code[pc + op.BINARY_TYPE]!, mixed(left, right));
        return pc + op.BINARY_LENGTH;
      }
      case op.UNARY: {
        const tag = this.tag(thread, code[pc + op.UNARY_VALUE]!);
        evaluator.unary(frame, pc);
        this.setTag(frame, code[pc + op.UNARY_DEST]!, code[pc + op.UNARY_TYPE]!, mixed(tag, KNOWN));
        return pc + op.UNARY_LENGTH;
      }
      case op.COMPARE: {
        const left = this.tag(thread, code[pc + op.COMPARE_LEFT]!);
        const right = this.tag(thread, code[pc + op.COMPARE_RIGHT]!);
        const predicate = code[pc + op.COMPARE_PREDICATE]!;
        // Two values that are known to differ, although one of them is not known.
        const differ = (left === STAMP && right === CHANGED) || (left === CHANGED && right === STAMP);
        evaluator.compare(frame, pc);
        const isKnown = differ && (predicate === EQUAL || predicate === UNEQUAL);
        this.setTag(frame, code[pc + op.COMPARE_DEST]!, I1, isKnown ? KNOWN : mixed(left, right));
        return pc + op.COMPARE_LENGTH;
      }
      case op.CAST: {
        const tag = this.tag(thread, code[pc + op.CAST_VALUE]!);
        const isInjective = INJECTIVE.includes(code[pc + op.CAST_OPERATOR]!);
        evaluator.cast(frame, pc);
        this.setTag(frame, code[pc + op.CAST_DEST]!, code[pc + op.CAST_TO]!, isInjective ? tag : mixed(tag, KNOWN));
        return pc + op.CAST_LENGTH;
      }
      case op.SELECT: {
        if (this.tag(thread, code[pc + op.SELECT_CONDITION]!) >= CHANGED) return STOPPED;
        const isTrue = frames.low(frame, code[pc + op.SELECT_CONDITION]!) !== 0;
        const value = code[pc + (isTrue ? op.SELECT_IF_TRUE : op.SELECT_IF_FALSE)]!;
        this.copy(thread, code[pc + op.SELECT_TYPE]!, code[pc + op.SELECT_DEST]!, value);
        return pc + op.SELECT_LENGTH;
      }
      case op.JUMP:
        return code[pc + op.JUMP_TARGET]!;
      case op.BRANCH: {
        if (this.tag(thread, code[pc + op.BRANCH_CONDITION]!) >= CHANGED) return STOPPED;
        const isTrue = frames.low(frame, code[pc + op.BRANCH_CONDITION]!) !== 0;
        return code[pc + (isTrue ? op.BRANCH_IF_TRUE : op.BRANCH_IF_FALSE)]!;
      }
      case op.ASSERT:
      case op.ASSUME: {
        const condition = code[pc + op.ASSERT_CONDITION]!;
        const holds = this.tag(thread, condition) < CHANGED && frames.low(frame, condition) !== 0;
        return holds ? pc + op.lengthAt(code, pc) : STOPPED;
      }
      case op.LOOPENTER:
        return pc + op.lengthAt(code, pc);
      case op.LOOPBACK:
        // A loop's record decides only whether the thread may sleep, and it may not after a load that could be idle.
        return this.idle === undefined ? pc + op.lengthAt(code, pc) : STOPPED;
      case op.CALL:
        return this.call(thread, frame, pc);
      case op.RETURN:
        return this.leave(thread, frame, pc);
      default:
        return STOPPED;
    }
  }

  private copy(thread: number, type: number, dest: number, value: number): void {
    const { frames } = this;
    const frame = this.machine.threads.get(thread, T_FRAME);
    const tag = this.tag(thread, value);
    frames.set(frame, type, dest, frames.low(frame, value), WIDE[type] === 1 ? frames.high(frame, value) : 0);
    this.setTag(frame, dest, type, tag);
  }

  private call(thread: number, frame: number, pc: number): number {
    const { frames, tags, machine } = this;
    const { code, threads } = machine;
    const words = code.words;
    const callee = functionAt(frames.low(frame, words[pc + op.CALL_CALLEE]!));
    if (this.tag(thread, words[pc + op.CALL_CALLEE]!) >= CHANGED || code.functions[callee]?.isUndefined !== false)
      return STOPPED;
    const count = words[pc + op.CALL_COUNT]!;
    const args = pc + op.CALL_LIST;
    const given = Array.from({ length: count }, (_, i) =>
      this.tag(thread, words[args + op.CALL_EACH * i + op.CALL_EACH_VALUE]!),
    );
    const next = frames.enter(
      thread,
      words[pc + op.SITE]!,
      callee,
      frame,
      args,
      count,
      args + op.CALL_EACH * count,
      words[pc + op.CALL_TYPE]!,
      words[pc + op.CALL_DEST]!,
    );
    if (next === STOPPED) return STOPPED;
    const { frameWords, offsets, parameters } = code.functions[callee]!;
    const entered = threads.get(thread, T_FRAME);
    for (let i = 0; i < frameWords; i++) tags.delete(entered + i);
    parameters.forEach((type, i) => {
      this.setTag(entered, offsets[i]!, type, given[i]!);
    });
    return next;
  }

  private leave(thread: number, frame: number, pc: number): number {
    const { frames, machine } = this;
    const words = machine.code.words;
    const type = words[pc + op.RETURN_TYPE]!;
    const value = words[pc + op.RETURN_VALUE]!;
    const dest = machine.state.words[frame + op.FRAME_DEST]!;
    const tag = type < 0 ? KNOWN : this.tag(thread, value);
    const low = type < 0 ? 0 : frames.low(frame, value);
    const high = type >= 0 && WIDE[type] === 1 ? frames.high(frame, value) : 0;
    const next = frames.leave(thread, frame, type, low, high);
    if (next !== STOPPED && type >= 0 && dest >= 0) this.setTag(machine.threads.get(thread, T_FRAME), dest, type, tag);
    return next;
  }

  // ---- tags

  /** What is known of a value field in the thread's frame. */
  private tag(thread: number, value: number): number {
    if (value < 0) return KNOWN;
    return this.tags.get(this.machine.threads.get(thread, T_FRAME) + value) ?? KNOWN;
  }

  private setTag(frame: number, dest: number, type: number, tag: number): void {
    const { tags } = this;
    for (let word = 0; word <= WIDE[type]!; word++) {
      if (tag === KNOWN) tags.delete(frame + dest + word);
      else tags.set(frame + dest + word, tag);
    }
  }

  // ---- the end

  /** Whether the thread, in front of the same load again, is as it was when the journal was this long. */
  private isBack(thread: number, pc: number, mark: number): boolean {
    const { machine } = this;
    const { state, threads, layout, code } = machine;
    const at = threads.at(thread);
    const then = this.recall(mark, at, Math.max(...FIELDS) + 1);
    if (FIELDS.some((field) => then[field] !== state.words[at + field])) return false;
    const base = layout.frames + thread * layout.limits.frameWords;
    const top = threads.get(thread, T_TOP);
    const old = this.recall(mark, base, top - base);
    const isSame = (word: number): boolean =>
      (this.tags.get(word) ?? KNOWN) < CHANGED && old[word - base] === state.words[word];
    let frame = threads.get(thread, T_FRAME);
    let live = this.live.at(pc);
    /** The words of the result of a call, which will be written when it returns. */
    let [dest, wide] = [-1, -1];
    for (;;) {
      if (FRAME_FIELDS.some((field) => !isSame(frame + field))) return false;
      for (const offset of live) if (offset !== dest && offset !== wide && !isSame(frame + offset)) return false;
      const returnTo = state.words[frame + op.FRAME_RETURN]!;
      if (returnTo < 0) return true;
      dest = state.words[frame + op.FRAME_DEST]!;
      const func = code.sites[code.words[returnTo + op.SITE]!]!.func;
      const register = code.functions[func]!.offsets.indexOf(dest);
      wide = register >= 0 && sizeOf(code.functions[func]!.types[register]!) === 8 ? dest + 1 : -1;
      frame = state.words[frame + op.FRAME_CALLER]!;
      live = this.live.at(returnTo);
    }
  }

  private recall(mark: number, start: number, count: number): Int32Array {
    if (this.before.length < count) this.before = new Int32Array(2 * count);
    this.machine.state.recall(mark, start, count, this.before);
    return this.before;
  }
}

/** What is known of a result that depends on both. */
function mixed(left: number, right: number): number {
  return left >= CHANGED || right >= CHANGED ? UNKNOWN : KNOWN;
}
