/** Explores all states of a generated program under a memory model: how it can end, and what can go wrong. */
import { type FuzzProgram, threadNames, UNIONS } from '../ast.ts';
import { simCode } from './code.ts';
import { bottomComponents, type Graph } from './components.ts';
import { ERRORS, OutOfRoom, SimMachine, type SimModel } from './machine.ts';
import * as s from './state.ts';
import type { Trace } from './trace.ts';

export interface Simulated {
  /** The final states of complete executions: the results of every thread, and memory. */
  readonly outcomes: ReadonlySet<string>;
  readonly errors: ReadonlySet<string>;
  /** Number of traces of complete executions; only if requested, and if no thread waits in a loop. */
  readonly traces: number | undefined;
  readonly states: number;
}

/** Why there is no answer. */
export type NoAnswer = 'states' | 'room' | 'unbounded';

export interface SimulateOptions {
  readonly maxStates: number;
  readonly traces?: boolean;
  /**
   * Registers of threads, locals and what `malloc` returns have no value; it is an error if something depends on them.
   */
  readonly uninitialised?: boolean;
}

export function simulate(program: FuzzProgram, model: SimModel, options: SimulateOptions): Simulated | NoAnswer {
  try {
    return new Simulation(program, model, options).run();
  } catch (error) {
    if (error instanceof OutOfRoom) return 'room';
    throw error;
  }
}

class Simulation {
  private readonly names: readonly (string | undefined)[];
  private readonly machine: SimMachine;
  private readonly options: SimulateOptions;
  private readonly hasLoops: boolean;
  private readonly outcomes = new Set<string>();
  private readonly errors = new Set<string>();
  private readonly traces = new Set<string>();
  private readonly numbers = new Map<string | number, readonly number[]>();
  private readonly states: Int32Array[] = [];
  private readonly tracesOf: (Trace | undefined)[] = [];
  /** Successors of each state, if there are loops. */
  private readonly next: number[][] = [];

  constructor(program: FuzzProgram, model: SimModel, options: SimulateOptions) {
    const code = simCode(program);
    this.names = threadNames(program);
    this.hasLoops = code.hasLoops;
    this.machine = new SimMachine(code, model, {
      traces: options.traces === true && !code.hasLoops,
      uninitialised: options.uninitialised === true,
    });
    this.options = options;
  }

  run(): Simulated | NoAnswer {
    const { machine, states, hasLoops } = this;
    this.number();
    for (let i = 0; i < states.length; i++) {
      if (states.length > this.options.maxStates) return 'states';
      const now = states[i]!;
      const trace = this.tracesOf[i];
      const restore = (): void => {
        machine.w.set(now);
        machine.trace = trace?.copy();
      };
      restore();
      const successors: number[] = [];
      machine.forEachStep(restore, () => {
        const n = this.number();
        if (hasLoops) successors.push(n);
        else successors.length = 1;
      });
      if (successors.length === 0) {
        restore();
        this.end();
      }
      if (hasLoops) this.next.push(successors);
      this.tracesOf[i] = undefined;
    }
    if (hasLoops && !this.findEndlessWaits()) return 'unbounded';
    const { outcomes, errors } = this;
    const traces =
      machine.trace === undefined && this.options.traces !== true ? undefined : hasLoops ? undefined : this.traces.size;
    return { outcomes, errors, traces, states: states.length };
  }

  /** The number of the current state; assigns one to a new state. */
  private number(): number {
    const { machine, numbers } = this;
    const key = machine.trace === undefined ? hashOf(machine.w) : hashOf(machine.w) + machine.trace.key;
    // Earlier ones with the same key; more than one only if hashes collide.
    const known = numbers.get(key) ?? [];
    for (const n of known) if (isSame(this.states[n]!, machine.w)) return n;
    const number = this.states.length;
    numbers.set(key, [...known, number]);
    this.states.push(machine.w.slice());
    this.tracesOf.push(machine.trace);
    return number;
  }

  private end(): void {
    const { w, shape, trace } = this.machine;
    const error = w[shape.error]!;
    if (error !== 0) {
      this.errors.add(ERRORS[error - 1]!);
      return;
    }
    if (w[shape.exited] !== 0) {
      this.outcomes.add(`exit ${w[shape.exitStatus]}`);
      return;
    }
    const statuses = shape.threads.map((at) => w[at + s.STATUS]);
    if (statuses.includes(s.ASSUMED)) return;
    const isUnfinished = statuses.some((status) => status !== s.ABSENT && status !== s.FINISHED);
    if (isUnfinished && !mayEnd(w, shape)) {
      this.errors.add('deadlock');
      return;
    }
    this.outcomes.add(this.outcome());
    if (trace !== undefined) this.traces.add(trace.key);
  }

  private outcome(): string {
    const { w, shape } = this.machine;
    const results = shape.threads.map((at, t): string =>
      w[at + s.STATUS] === s.FINISHED ? `${this.names[t]}:${w[at + s.RESULT]}` : '',
    );
    const words = Array.from(w.subarray(shape.memory, shape.memory + 2 * UNIONS));
    return `${results
      .filter((result) => result !== '')
      .sort()
      .join(' ')} | ${words.join(' ')}`;
  }

  /** False if there is a loop that runs forever and changes something. */
  private findEndlessWaits(): boolean {
    const { shape } = this.machine;
    const { states, next } = this;
    const graph: Graph = { size: states.length, next: (n) => next[n]! };
    const first = shape.threads[0]!;
    for (const component of bottomComponents(graph, (from, to) =>
      sameShared(states[from]!, states[to]!, shape, first),
    )) {
      if (component === 'changes') return false;
      const state = states[component]!;
      const isAssumed = shape.threads.some((at) => state[at + s.STATUS] === s.ASSUMED);
      if (isAssumed) continue;
      if (!mayEnd(state, shape)) this.errors.add('liveness');
      else {
        // The process ends with main, even if other threads are still waiting.
        this.machine.w.set(state);
        this.outcomes.add(this.outcome());
      }
    }
    return true;
  }
}

function hashOf(words: Int32Array): number {
  let hash = 0;
  for (let i = 0; i < words.length; i++) {
    hash = Math.imul(hash ^ words[i]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function isSame(a: Int32Array, b: Int32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Whether two states differ only in the threads' positions and what they have read. */
function sameShared(a: Int32Array, b: Int32Array, shape: s.Shape, first: number): boolean {
  for (let i = 0; i < first; i++) if (a[i] !== b[i]) return false;
  for (let t = 0; t < shape.threads.length; t++) {
    const at = shape.threads[t]!;
    const end = shape.threads[t + 1] ?? shape.words;
    if (a[at + s.WAITS_ON] !== b[at + s.WAITS_ON]) return false;
    for (let i = at + s.ENTRIES; i < end; i++) if (a[i] !== b[i]) return false;
  }
  return true;
}

/**
 * Whether the process may end while threads wait: main has returned, and none of them is in a section, which could have
 * begun before. (A section that main is in has ended with it.)
 */
function mayEnd(words: ArrayLike<number>, shape: s.Shape): boolean {
  const inside = words[shape.section]! - 1;
  return words[shape.mainReturned] !== 0 && inside <= 0;
}
