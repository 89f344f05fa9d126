/**
 * Two machines with the same program take the same steps, one with generated code and one with the interpreter.
 *
 * After every step, everything it wrote is compared: the journals say which words; all others were equal before. A
 * write that is in neither journal is noticed when the whole buffers are compared, at the end of an execution and after
 * rolling back to its start.
 */
import { programError } from '../../src/machine/describe/program-error.ts';
import { EVENT_WORDS } from '../../src/machine/events/event.ts';
import { Machine, type MachineOptions, type Outcome } from '../../src/machine/machine.ts';
import type { Limits } from '../../src/machine/state/layout.ts';
import type { State } from '../../src/machine/state/state.ts';
import type { Model } from '../../src/models/index.ts';
import type { Program } from '../../src/program/ir.ts';
import { Prng } from '../../src/util/prng.ts';
import { wordsOf } from './state-words.ts';

export interface LockstepOptions {
  readonly limits?: Partial<Limits>;
  /** How often a place runs before its code is generated. */
  readonly patience?: number;
  readonly maxSteps?: number;
  readonly machine?: MachineOptions;
}

/** Compares whole buffers at the end of one in this many executions. */
const FULL_EVERY = 25;
/** Steps to roll back at once: fewer than run in between, so that long executions end. */
const MAX_BACK = 30;

export class Lockstep {
  readonly generated: Machine;
  readonly interpreted: Machine;
  private readonly initial: Int32Array;
  private readonly prng: Prng;
  private readonly maxSteps: number;
  /** How the last execution ended. */
  lastOutcome: Outcome = 'running';

  constructor(program: Program, model: Model, seed: number, options: LockstepOptions = {}) {
    this.generated = new Machine(program, model, options.limits, {
      ...options.machine,
      patience: options.patience ?? 0,
    });
    this.interpreted = new Machine(program, model, options.limits, { ...options.machine, interpret: true });
    this.initial = this.interpreted.state.words.slice();
    this.prng = new Prng(seed);
    this.maxSteps = options.maxSteps ?? 300;
    this.compareAll();
  }

  /** Runs this many random schedules, with rollbacks in between. */
  run(schedules: number): void {
    const { generated, interpreted } = this;
    for (let schedule = 0; schedule < schedules; schedule++) {
      const isFull = schedule % FULL_EVERY === 0 || schedule === schedules - 1;
      this.runOne();
      this.lastOutcome = generated.outcome;
      this.compareEnd();
      if (isFull) this.compareAll();
      generated.rollback(0);
      interpreted.rollback(0);
      if (!isFull) continue;
      this.compareAll();
      expectSame('initial state', wordsOf(generated), this.initial);
    }
  }

  private runOne(): void {
    const { generated, interpreted, prng } = this;
    for (let taken = 0; taken < this.maxSteps && this.compareEnabled() > 0; taken++) {
      if (prng.below(40) === 0) {
        const depth = Math.max(0, generated.depth - prng.below(MAX_BACK));
        generated.rollback(depth);
        interpreted.rollback(depth);
        this.compareEnabled();
      }
      const step = interpreted.steps.get(prng.below(interpreted.steps.length));
      const marks = [generated.state.mark, interpreted.state.mark] as const;
      generated.step(step);
      interpreted.step(step);
      this.compareStep(marks);
    }
  }

  private compareEnabled(): number {
    const { generated, interpreted } = this;
    const count = generated.enabled();
    if (count !== interpreted.enabled()) this.fail('number of enabled steps');
    for (let i = 0; i < count; i++) if (generated.steps.get(i) !== interpreted.steps.get(i)) this.fail('enabled steps');
    return count;
  }

  private compareStep(marks: readonly [number, number]): void {
    const { generated, interpreted } = this;
    const [a, b] = [generated.state.words, interpreted.state.words];
    const check = (index: number): void => {
      if (a[index] !== b[index]) this.fail(`word ${index}: ${a[index]}, interpreted ${b[index]}`);
    };
    forEachWritten(generated.state, marks[0], check);
    forEachWritten(interpreted.state, marks[1], check);
    if (generated.depth !== interpreted.depth) this.fail('depth');
    const start = (generated.depth - 1) * EVENT_WORDS;
    for (let i = start; i < start + EVENT_WORDS; i++) {
      if (generated.events.words[i] !== interpreted.events.words[i]) this.fail(`event, field ${i - start}`);
    }
    if (generated.printer.output.length !== interpreted.printer.output.length) this.fail('output');
  }

  private compareEnd(): void {
    const { generated, interpreted } = this;
    const say = (machine: Machine): string =>
      JSON.stringify([machine.outcome, programError(machine), machine.bound, machine.printer.output]);
    if (say(generated) !== say(interpreted)) this.fail(`${say(generated)}, interpreted ${say(interpreted)}`);
  }

  private compareAll(): void {
    const { generated, interpreted } = this;
    expectSame('state', generated.state.words, interpreted.state.words);
    const end = generated.depth * EVENT_WORDS;
    expectSame('events', generated.events.words.subarray(0, end), interpreted.events.words.subarray(0, end));
  }

  private fail(what: string): never {
    throw new Error(`differ after ${this.interpreted.depth} steps: ${what}`);
  }
}

function forEachWritten({ journal, journalEnd }: State, mark: number, visit: (index: number) => void): void {
  for (let end = journalEnd; end > mark; ) {
    const index = journal[end - 1]!;
    end -= 2;
    if (index >= 0) visit(index);
    else {
      for (let i = 0; i < -index; i++) visit(journal[end]! + i);
      end += index;
    }
  }
}

function expectSame(what: string, a: Int32Array, b: Int32Array): void {
  if (a.length !== b.length) throw new Error(`${what}: different lengths`);
  if (bytesOf(a).equals(bytesOf(b))) return;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) throw new Error(`${what}: word ${i}: ${a[i]}, not ${b[i]}`);
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
