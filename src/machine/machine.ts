/**
 * machine/: how a program runs.
 *
 * A machine is a program under a memory model. In any state it lists the enabled steps, takes one, records the event
 * that it produced, and can roll back to any earlier depth. Threads are data in one buffer (`state.ts`, `layout.ts`),
 * nothing lives in closures, and the same schedule gives the same events.
 *
 * Every unfinished thread is at a visible operation; the local instructions in between run as part of the previous step
 * (`interpreter.ts`). A step is a thread's visible operation or the commit of a buffered store; it produces exactly one
 * event, so the depth is the number of steps, of events, and of entries of the schedule. The memory (`memory/`) defines
 * what loads, stores and fences do. The machine knows no clocks, no traces and no search.
 *
 * Call protocol: `enabled()`, then `step()` with one of `steps`, and so on until `enabled()` is 0; then `outcome` says
 * how the execution ended. `rollback(depth)` at any time, to any depth up to the current one.
 *
 * Code that runs at every step of a search is in this one class, for speed; the rest is in `encode.ts`,
 * `take-idle-reads.ts`, `would-leave.ts` and `describe/`.
 */

import { type Model, modelNamed } from '../models/index.ts';
import { delaysStores, type ModelDescription, requireCapability, runByGraphs } from '../models/model.ts';
import type { Program } from '../program/ir.ts';
import { usesProgress } from '../program/progress.ts';
import { sizeOf } from '../program/types.ts';
import { IntVector } from '../util/int-vector.ts';
import type { Code } from './code/code.ts';
import { compile } from './code/compile.ts';
import { LIMIT_NAMES, type MachineBound } from './code/error.ts';
import { writeInitialValue } from './code/initial.ts';
import { loopsOf } from './code/loops.ts';
import { encodeState } from './encode.ts';
import * as ev from './events/event.ts';
import { Compiled } from './generated/compiled.ts';
import { DEFAULT_PATIENCE, type MachineOptions } from './machine-options.ts';
import { memoryOf } from './memory/index.ts';
import type { Memory } from './memory/memory.ts';
import type { Accesses } from './run/accesses.ts';
import { Frames } from './run/frames.ts';
import { Guards } from './run/guards.ts';
import { IdleWaits } from './run/idle-waits.ts';
import { Interpreter } from './run/interpreter.ts';
import { LoopWatch } from './run/loop-watch.ts';
import { Objects } from './run/objects.ts';
import { Operations } from './run/operations.ts';
import { Printer } from './run/printer.ts';
import { Progress } from './run/progress.ts';
import type { Runner } from './run/runner.ts';
import { SyncObjects } from './run/sync.ts';
import { UndoneRounds } from './run/undone-rounds.ts';
import type { Upcoming } from './run/upcoming.ts';
import { defaultLimits, FEW_THREADS, MAX_THREADS, TooManyThreads } from './state/default-limits.ts';
import { hasStopped } from './state/fault.ts';
import {
  ABSENT,
  ASSUME_BLOCKED,
  BOUND_BLOCKED,
  FAILED,
  FINISHED,
  H_ATOMIC,
  H_ERROR,
  H_ERROR_THREAD,
  H_EXITED,
  H_LIMIT,
  H_MAIN_LEFT,
  type Layout,
  type Limits,
  layOut,
  N_ADDRESS,
  N_FREES,
  N_HIGH,
  N_LOW,
  N_SITE,
  N_SIZE,
  N_STORE,
  RUNNABLE,
  SPINNING,
  STATUSES,
  T_EVENTS,
  T_FRAME,
  T_HEAD,
  T_PC,
  T_STATUS,
  T_UNDEFINED,
  UNMODELLED,
} from './state/layout.ts';
import { choiceOf, ProcessTable, processOf, type Step, stepOf } from './state/process.ts';
import { State } from './state/state.ts';
import { Threads } from './state/thread.ts';

export type { MachineOptions } from './machine-options.ts';

/** The status of an execution. */
export type Outcome =
  | 'running'
  /** Every thread has ended and every store has reached memory. */
  | 'complete'
  | 'error'
  | 'deadlock'
  /** A thread stopped at an assumption that does not hold, sleeps in a loop, or has reached its bound. */
  | 'blocked'
  /** The machine ran out of room; `bound` names it. */
  | 'limit';

/** Room of an axiomatic model: for the writes of one execution and the locations of all executions together. */
const GRAPH_COMMITS = 1 << 16;

function describe(model: Model, { graphs }: MachineOptions): ModelDescription {
  const description = modelNamed(model);
  if (graphs !== true) return description;
  requireCapability(description, 'graph');
  return runByGraphs(description);
}

/** The slot of main, in a program with one root. */
const MAIN = 0;

/** By status: 1 if the thread has stopped but others continue, so the execution does not show how the program ends. */
const HAS_STOPPED = new Uint8Array(STATUSES);
for (const status of [ASSUME_BLOCKED, SPINNING, BOUND_BLOCKED, UNMODELLED]) HAS_STOPPED[status] = 1;

export class Machine {
  readonly program: Program;
  readonly model: Model;
  /** The description of the model. */
  readonly description: ModelDescription;
  readonly options: MachineOptions;
  readonly code: Code;
  readonly layout: Layout;
  readonly state: State;
  readonly processes: ProcessTable;
  readonly memory: Memory;
  readonly events: ev.EventLog = new ev.EventLog();
  /** The steps found by `enabled`. */
  readonly steps: IntVector = new IntVector();
  private readonly words: Int32Array;
  readonly threads: Threads;
  private readonly runner: Runner;
  private readonly guards: Guards;
  readonly operations: Operations;
  readonly upcoming: Upcoming;
  private readonly accesses: Accesses;
  readonly printer: Printer;
  private readonly loops: LoopWatch;
  /** With `awaits`, if the program has a loop that could wait. */
  readonly idleWaits: IdleWaits | undefined;
  readonly progress: Progress;
  /** Whether threads sleep in loops. */
  private readonly spins: boolean;
  /** How many iterations a loop may have; 0 = any number. */
  readonly unroll: number;
  readonly frames: Frames;
  /** Journal length at each depth. */
  private readonly marks = new IntVector();

  /** `known`: of another machine for the program with these limits, so that the steps of both have the same numbers. */
  constructor(
    program: Program,
    model: Model,
    limits: Partial<Limits> = {},
    options: MachineOptions = {},
    known?: ProcessTable,
  ) {
    if (program.roots.length > MAX_THREADS) throw new Error(`a program may start with at most ${MAX_THREADS} threads`);
    this.program = program;
    this.model = model;
    this.description = describe(model, options);
    this.options = options;
    this.spins = options.spin === true;
    this.unroll = options.unroll ?? 0;
    const marked = this.unroll > 0 ? 'all' : this.spins ? 'idle' : 'none';
    this.code = compile(program, marked, this.description.isAxiomatic);
    const room = this.description.isAxiomatic ? { commits: GRAPH_COMMITS } : {};
    this.layout = layOut(program, { ...defaultLimits(program, this.code.frameWords), ...room, ...limits });
    this.state = new State(this.layout.totalWords);
    this.words = this.state.words;
    this.processes = known ?? new ProcessTable(this.layout.limits.threads, program.roots.length);
    const { code, state, layout, processes, events } = this;
    this.threads = new Threads(state, layout);
    const { description } = this;
    this.memory = new (memoryOf(description))({ state, layout, processes, model: description });
    this.printer = new Printer(state, layout);
    this.printer.reader = (thread, address) => this.memory.byte(thread, address);
    this.printer.checker = (thread, address) => this.operations.accesses.error(thread, address, 1);
    const { memory, printer } = this;
    const frames = new Frames(code, state, layout);
    this.frames = frames;
    const syncs = new SyncObjects(state, layout, processes);
    const isCounted = this.spins || usesProgress(program);
    this.progress = new Progress(isCounted, options.recurrence !== false, state, layout, events);
    const undone = this.watchesUndone(options) ? new UndoneRounds(code, events, !delaysStores(description)) : undefined;
    const bounds = { spin: this.spins, unroll: this.unroll };
    this.loops = new LoopWatch(bounds, code.words, state, layout, this.progress, undone);
    const { loops, progress } = this;
    const parts = { code, state, layout, frames, processes, printer, memory, events, loops, progress, syncs };
    this.runner =
      options.interpret === true ? new Interpreter(parts) : new Compiled(parts, options.patience ?? DEFAULT_PATIENCE);
    const { runner } = this;
    this.guards = new Guards({ code, state, layout, frames, processes, memory, syncs });
    this.operations = new Operations({ code, state, layout, frames, processes, memory, syncs, runner, events });
    this.upcoming = this.operations.upcoming;
    this.accesses = this.operations.accesses;
    this.idleWaits = options.awaits === true ? this.findIdleWaits(frames) : undefined;
    this.loadGlobals();
    state.forgetJournal();
    this.startRoots();
  }

  /** None where loads may be stale, since they have several values, nor with a loop bound, which counts iterations. */
  private findIdleWaits(frames: Frames): IdleWaits | undefined {
    if (!this.spins || this.unroll > 0 || this.description.loadsMayBeStale) return undefined;
    const found = new IdleWaits(this, frames, {
      retries: this.options.retries !== false,
      nested: this.options.nested !== false,
      optimistic: this.options.nested !== false && this.options.optimistic !== false,
      doomed: this.options.doomed !== false,
    });
    return found.isNeeded ? found : undefined;
  }

  /** Where writes are ordered by the execution, and no bound counts the rounds. */
  private watchesUndone(options: MachineOptions): boolean {
    const { isAxiomatic, loadsMayBeStale } = this.description;
    // A program that asks how much a thread has done sees rounds that leave nothing else behind.
    if (usesProgress(this.program)) return false;
    return this.spins && this.unroll === 0 && options.undone !== false && !isAxiomatic && !loadsMayBeStale;
  }

  /** Whether rounds of a loop of the program might undo themselves. */
  private get mayUndo(): boolean {
    return (
      this.watchesUndone(this.options) &&
      this.program.functions.some((func) => loopsOf(func).some(({ isCounted, undoes }) => undoes > 0 && !isCounted))
    );
  }

  /** Whether a thread may go to sleep in a loop; also true if that is not known. */
  get maySleep(): boolean {
    const knows = this.options.awaits === true && this.unroll === 0 && !this.description.loadsMayBeStale;
    return this.spins && (!knows || this.idleWaits !== undefined || this.mayUndo);
  }

  private loadGlobals(): void {
    const { layout } = this;
    new Objects(this.state, layout).addGlobals(this.program);
    const bytes = new Uint8Array(this.words.buffer);
    for (const [index, global] of this.program.globals.entries()) {
      if (global.threadLocal === true) continue;
      writeInitialValue(global, layout.globals[index]!, layout, (address, byte) => {
        bytes[address] = byte;
      });
    }
  }

  private startRoots(): void {
    const roots = this.program.roots;
    for (let thread = 0; thread < roots.length; thread++) {
      this.operations.startThread(thread, 0, roots[thread]!.function, 0, this.code.rootArguments[thread]!);
    }
    for (let thread = 0; thread < roots.length && !hasStopped(this.state); thread++) {
      this.runner.advance(thread, this.threads.get(thread, T_PC));
    }
  }

  /** Steps taken so far. */
  get depth(): number {
    return this.events.length;
  }

  /** Fills `steps` with the enabled steps and returns how many there are. */
  enabled(): number {
    const { steps } = this;
    steps.clear();
    const count = this.processes.threadCount;
    for (let thread = 0; thread < count; thread++) {
      this.addCommits(thread, steps);
      this.addChoices(thread, steps);
    }
    return steps.length;
  }

  /** Adds the enabled steps of the thread's buffers. */
  addCommits(thread: number, steps: IntVector): void {
    if (this.threads.get(thread, T_HEAD) === 0 || this.isHeldBack(thread)) return;
    if (this.idleWaits === undefined) this.memory.commits(thread, steps);
    else this.addCommitsUnlessKept(thread, steps);
  }

  private addCommitsUnlessKept(thread: number, steps: IntVector): void {
    const from = steps.length;
    this.memory.commits(thread, steps);
    this.idleWaits?.optimistic?.removeKept(thread, steps, from);
  }

  /** Adds the enabled steps of the thread itself. */
  addChoices(thread: number, steps: IntVector): void {
    const choices = this.choices(thread);
    for (let choice = 0; choice < choices; choice++) steps.push(stepOf(thread, choice));
  }

  /** The number of choices that the thread itself has now; 0 if it is not enabled. */
  choices(thread: number): number {
    const ways = this.ways(thread);
    return ways > 0 && this.idleWaits !== undefined && this.idleWaits.keeps(thread) ? 0 : ways;
  }

  /** The same, but an idle operation counts as enabled. */
  private ways(thread: number): number {
    const { words, guards } = this;
    const at = this.threads.at(thread);
    if (words[at + T_STATUS] !== RUNNABLE || this.isHeldBack(thread)) return 0;
    return guards.isReady(words[at + T_PC]!, words[at + T_HEAD] === 0) ? 1 : guards.choices(thread);
  }

  /** Whether a runnable thread waits for nothing but an idle read to change. The execution may be over. */
  waitsOnlyIdly(thread: number): boolean {
    const { words, guards, idleWaits } = this;
    const at = this.threads.at(thread);
    if (idleWaits?.mayWait(thread) !== true) return false;
    if (!guards.isReady(words[at + T_PC]!, words[at + T_HEAD] === 0) && guards.choices(thread) === 0) return false;
    return idleWaits.isIdle(thread);
  }

  /** Whether the thread's next operation, otherwise enabled, is an idle read. */
  waitsIdly(thread: number): boolean {
    const { idleWaits } = this;
    return idleWaits?.mayWait(thread) === true && idleWaits.isIdle(thread);
  }

  /** Whether the thread's next operation is enabled, unless it is idle. */
  isReady(thread: number): boolean {
    return this.ways(thread) > 0;
  }

  /** Whether the step is enabled. */
  canTake(step: Step): boolean {
    const process = processOf(step);
    if (this.processes.isThread(process)) return choiceOf(step) < this.choices(process);
    const entry = this.memory.nextCommit(process);
    const thread = this.processes.owner(process);
    if (entry === 0 || this.isHeldBack(thread)) return false;
    return this.idleWaits?.optimistic?.keepsEntry(thread, entry) !== true;
  }

  /** No process can take another step: an error, a limit, an exit. */
  get isOver(): boolean {
    const { words } = this;
    return (words[H_ERROR]! | words[H_LIMIT]! | words[H_EXITED]!) !== 0;
  }

  /** The execution has ended, or another thread is in an atomic section, which excludes all others. */
  isHeldBack(thread: number): boolean {
    const atomic = this.words[H_ATOMIC]!;
    return this.isOver || (atomic !== 0 && atomic !== thread + 1 && !this.description.isAxiomatic);
  }

  step(step: Step): void {
    this.marks.push(this.state.mark);
    this.printer.depth = this.depth + 1;
    const process = processOf(step);
    if (this.processes.isThread(process)) this.runThread(process, step);
    else this.commit(process, step);
  }

  /** Whether the program has made an error. */
  get hasFailed(): boolean {
    return this.words[H_ERROR] !== 0;
  }

  /** After a step that ended in an error: stops only the threads that failed, so that the others continue. */
  pardon(): void {
    const { state, threads, words } = this;
    threads.set(words[H_ERROR_THREAD]!, T_STATUS, FAILED);
    // A thread that fails as it is created stops its creator in the middle of a step.
    threads.set(this.events.get(this.depth - 1, ev.E_THREAD), T_STATUS, FAILED);
    state.set(H_ERROR, 0);
  }

  /** Rolls back to the state after `depth` steps. */
  rollback(depth: number): void {
    if (depth >= this.depth) return;
    this.idleWaits?.forget(depth);
    this.undo(depth);
  }

  /** The same, for steps that were only taken to see where they lead. */
  undo(depth: number): void {
    this.state.rewind(this.marks.get(depth));
    this.marks.length = depth;
    this.events.truncate(depth);
    this.printer.rollback(depth);
  }

  markAt(step: number): number {
    return this.marks.get(step);
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
    event[at + ev.E_STORED_LOW] = words[entry + N_LOW]!;
    event[at + ev.E_STORED_HIGH] = words[entry + N_HIGH]!;
    event[at + ev.E_FLAGS] = words[entry + N_FREES] === 1 ? ev.WROTE_MEMORY | ev.ENDS_OBJECT : ev.WROTE_MEMORY;
    this.operations.beforeCommit(thread, entry);
    if (hasStopped(this.state)) return;
    if (words[entry + N_FREES] === 0) this.accesses.noteOld(at, words[entry + N_ADDRESS]!, words[entry + N_SIZE]!);
    memory.commit(thread, entry);
  }

  private runThread(thread: number, step: Step): void {
    const { words, state, runner } = this;
    const at = this.threads.at(thread);
    const pc = words[at + T_PC]!;
    if (runner.step(thread, pc, step)) return;
    const index = words[at + T_EVENTS]! + 1;
    state.set(at + T_EVENTS, index);
    const frame = words[at + T_FRAME]!;
    const next = this.operations.execute(thread, pc, index, step);
    if (hasStopped(state)) return;
    if (this.layout.tracksUndefined && words[at + T_UNDEFINED] !== 0) this.accesses.definedness.after(frame, pc);
    if (this.progress.isCounted) this.progress.noteEvent(at);
    if (words[at + T_STATUS] === RUNNABLE) runner.advance(thread, next);
    else state.set(at + T_PC, next);
  }

  /** The status of the execution; call `enabled()` first. */
  get outcome(): Outcome {
    if (this.words[H_ERROR] !== 0) return 'error';
    if (this.words[H_LIMIT] !== 0) return 'limit';
    if (this.steps.length > 0) return 'running';
    if (this.words[H_EXITED] !== 0) return 'complete';
    let unfinished = false;
    for (let thread = 0; thread < this.processes.threadCount; thread++) {
      const status = this.threads.get(thread, T_STATUS);
      if (HAS_STOPPED[status] === 1) return 'blocked';
      if (status !== ABSENT && status !== FINISHED) unfinished = true;
    }
    return unfinished && !this.mayEnd ? 'deadlock' : 'complete';
  }

  /**
   * Whether the process may end while threads wait: main has returned. Not if another thread is stuck in an atomic
   * section: it may have begun the section before main returned, and then no other thread would run. (In an axiomatic
   * model, a section keeps only other sections waiting.) If main returned from its own section, the process has ended.
   */
  get mayEnd(): boolean {
    if (!this.mainHasReturned) return false;
    const inside = this.words[H_ATOMIC]! - 1;
    return inside < 0 || inside === MAIN || this.description.isAxiomatic;
  }

  /** False if main ended its thread by `pthread_exit`: then the process continues until all threads have ended. */
  get mainHasReturned(): boolean {
    return this.program.roots.length === 1 && this.threads.hasFinished(MAIN) && this.words[H_MAIN_LEFT] === 0;
  }

  /** Lets a thread that has reached the bound of a loop pass it. */
  passBound(thread: number): void {
    const { state, words } = this;
    const at = this.threads.at(thread);
    this.loops.liftBound(words[at + T_FRAME]!, words[at + T_PC]!);
    state.set(at + T_STATUS, RUNNABLE);
    this.runner.advance(thread, words[at + T_PC]!);
  }

  /** Wakes a thread that sleeps in a loop, until it returns to the same state. */
  wake(thread: number): void {
    const { state, words } = this;
    const at = this.threads.at(thread);
    state.set(at + T_STATUS, RUNNABLE);
    this.progress.noteWake(at);
    this.runner.advance(thread, words[at + T_PC]!);
  }

  /** The bound of the machine that ended the execution, if one did. */
  get bound(): MachineBound | undefined {
    const limit = this.words[H_LIMIT]!;
    return limit === 0 ? undefined : LIMIT_NAMES[limit]!;
  }

  /** Throws `TooManyThreads` if the execution had no room for a thread and a larger machine would have had. */
  demandRoom(): void {
    const isFull = this.bound === 'threads' && this.layout.limits.threads === FEW_THREADS;
    if (isFull && this.program.manyThreads !== true) throw new TooManyThreads();
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

  /** The four bytes at an address of the program's memory. */
  read32(address: number): number {
    this.state.read(address, 4);
    return this.state.low;
  }

  /** Adds all that future steps depend on, and nothing about how the state was reached. */
  encode(out: IntVector): void {
    encodeState(this, out);
  }
}
