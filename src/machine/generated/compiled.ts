/**
 * Runs threads as generated code (`generate.ts`), with the interpreter's effects on the state, word for word. A
 * function is generated once it has been run a number of times from the same place; until then, and where generated
 * code gives up, the interpreter runs it.
 */
import type { Code } from '../code/code.ts';
import { VISIBLE } from '../code/opcodes.ts';
import type { EventLog } from '../events/event.ts';
import type { Memory } from '../memory/memory.ts';
import { STOPPED } from '../run/frames.ts';
import { Interpreter } from '../run/interpreter.ts';
import type { LoopOptions } from '../run/loop-watch.ts';
import { Objects } from '../run/objects.ts';
import type { Runner, RunnerParts } from '../run/runner.ts';
import type { SyncObjects } from '../run/sync.ts';
import { H_UNDEFINED_GLOBALS, type Layout, T_PC, T_UNDEFINED } from '../state/layout.ts';
import type { Step } from '../state/process.ts';
import type { State } from '../state/state.ts';
import { Threads } from '../state/thread.ts';
import { generate } from './generate.ts';
import { DECLINED } from './generate-access.ts';

/** The signature described in the header of `generate.ts`. */
type Chunk = (thread: number, at: number, label: number, step: Step, budget: number) => number;

/** In place of a chunk: `pc` is not a label. Smaller values: not generated yet; they count the runs until it is. */
const ELSEWHERE = -1;

interface CompiledParts extends RunnerParts {
  readonly events: EventLog;
  readonly syncs: SyncObjects;
}

export class Compiled implements Runner {
  private readonly code: Code;
  private readonly codeWords: Int32Array;
  private readonly state: State;
  private readonly words: Int32Array;
  private readonly layout: Layout;
  private readonly memory: Memory;
  private readonly threads: Threads;
  private readonly interpreter: Interpreter;
  private readonly loops: LoopOptions;
  private readonly countsWrites: boolean;
  private readonly chunks: Chunk[] = [];
  /** Per pc: the chunk that has its label, or a value in its place; and the label. */
  private readonly chunkAt: Int32Array;
  private readonly labelAt: Int32Array;
  /** The parts of the machine that generated code uses. */
  private readonly parts: object;
  /** Instructions that the thread may still run; generated code passes it on from function to function. */
  budget = 0;

  /** `patience`: how often a place is interpreted before its function is generated. */
  constructor(parts: CompiledParts, patience: number) {
    this.code = parts.code;
    this.codeWords = parts.code.words;
    this.state = parts.state;
    this.words = parts.state.words;
    this.layout = parts.layout;
    this.memory = parts.memory;
    this.loops = parts.loops.options;
    this.countsWrites = parts.progress.isCounted;
    this.threads = new Threads(parts.state, parts.layout);
    this.interpreter = new Interpreter(parts);
    this.chunkAt = new Int32Array(parts.code.words.length).fill(ELSEWHERE - 1 - patience);
    this.labelAt = new Int32Array(parts.code.words.length);
    this.parts = {
      w: this.words,
      s: this.state,
      M: parts.memory,
      V: parts.events,
      O: new Objects(parts.state, parts.layout),
      F: parts.frames,
      I: this.interpreter,
      E: this.interpreter.evaluator,
      L: parts.loops,
      P: parts.processes,
      Y: parts.syncs,
      r: this,
    };
  }

  step(thread: number, pc: number, step: Step): boolean {
    const at = this.threads.at(thread);
    const chunk = this.isUndefined(at) ? ELSEWHERE : this.chunkFor(pc);
    if (chunk < 0) return false;
    const next = this.chunks[chunk]!(thread, at, this.labelAt[pc]!, step, this.layout.limits.localSteps);
    if (next >= 0) this.run(thread, at, next);
    return next !== DECLINED;
  }

  advance(thread: number, pc: number): void {
    const at = this.threads.at(thread);
    if (this.isUndefined(at)) return this.interpreter.advance(thread, pc);
    this.state.set(at + T_PC, pc);
    this.budget = this.layout.limits.localSteps;
    this.run(thread, at, pc);
  }

  /** Whether the thread may come across undefined bits, which generated code cannot handle. */
  private isUndefined(at: number): boolean {
    const { words } = this;
    return this.layout.tracksUndefined && (words[at + T_UNDEFINED]! | words[H_UNDEFINED_GLOBALS]!) !== 0;
  }

  private run(thread: number, at: number, from: number): void {
    let pc = from;
    while (pc >= 0) {
      if (this.codeWords[pc]! >= VISIBLE) {
        this.words[at + T_PC] = pc;
        return;
      }
      const chunk = this.chunkFor(pc);
      if (chunk < 0) return this.interpreter.run(thread, pc, this.budget);
      pc = this.chunks[chunk]!(thread, at, this.labelAt[pc]!, 0, this.budget);
    }
  }

  /** For generated code: continues in the interpreter, at a local instruction. */
  interpret(thread: number, pc: number, budget: number): number {
    this.interpreter.run(thread, pc, budget);
    return STOPPED;
  }

  /** The chunk that can be entered at `pc`, or a value below 0; counts the visit. */
  private chunkFor(pc: number): number {
    const chunk = this.chunkAt[pc]!;
    if (chunk >= ELSEWHERE) return chunk;
    this.chunkAt[pc] = chunk + 1;
    if (chunk + 1 < ELSEWHERE) return chunk;
    this.generate(pc);
    return this.chunkAt[pc]!;
  }

  /** Generates the function that `pc` is in. */
  private generate(pc: number): void {
    const index = this.code.functions.findIndex(({ entry, end }) => entry <= pc && pc < end);
    const { code, layout, memory, loops, countsWrites } = this;
    const { source, chunks } = generate(code, layout, memory.model, loops, countsWrites, index);
    const functions = new Function('m', source)(this.parts) as Chunk[];
    const { entry, end } = this.code.functions[index]!;
    this.chunkAt.fill(ELSEWHERE, entry, end);
    for (const [i, labels] of chunks.entries()) {
      for (const [label, start] of labels.entries()) {
        this.chunkAt[start] = this.chunks.length;
        this.labelAt[start] = label;
      }
      this.chunks.push(functions[i]!);
    }
  }
}
