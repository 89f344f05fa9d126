/**
 * A litmus test under one memory model: its final states, whether its condition holds, how many executions it
 * has, and whether it is robust.
 *
 *   test → machine → search → per execution: final state, cycle? → answer
 *
 * An execution here is a Shasha–Snir trace: runs that differ only in the order of unrelated steps count once.
 * Optimal-DPOR visits each of them once, as does the search over execution graphs under RC11. PSLO is supported by
 * neither: there the enumerator visits them and duplicates are dropped.
 */

import { type Bound, printBound, type Stop } from '../explore/bound.ts';
import { MachineDpor } from '../explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../explore/enumerator.ts';
import { Exploration } from '../explore/explore.ts';
import { axiomsOf } from '../explore/graph/axioms.ts';
import { GraphSearch } from '../explore/graph/search.ts';
import { printSchedule, scheduleOf } from '../explore/schedule.ts';
import { answer, evaluate, type StateValue } from '../frontend/litmus/condition.ts';
import type { LitmusTest } from '../frontend/litmus/litmus.ts';
import { nameOfAddress, type Observed } from '../frontend/litmus/observed.ts';
import { Machine } from '../machine/machine.ts';
import { type Model, modelNamed } from '../models/index.ts';
import { requireCapability } from '../models/model.ts';
import { DEFAULT_MAX_STATES } from '../options/search.ts';
import { printError } from '../program/error-text.ts';
import { bitsOf } from '../program/types.ts';
import { isAcyclic } from '../trace/cycle.ts';
import { ShashaSnirTrace } from '../trace/shasha-snir.ts';
import { IntVector } from '../util/int-vector.ts';
import { type Verdict, verdictWithoutViolation } from './result.ts';

interface FinalState {
  /** Values of `test.observed`, in order. */
  readonly values: readonly StateValue[];
  /** Whether the condition's proposition is true here; `undefined` if the test has no condition. */
  readonly satisfies: boolean | undefined;
  /** An execution that ends in this state, as `printSchedule` writes it. */
  readonly schedule: string;
}

export interface LitmusResult {
  readonly test: LitmusTest;
  readonly model: Model;
  readonly verdict: Verdict;
  /** Sorted by their values. */
  readonly states: readonly FinalState[];
  /** The condition's answer, `null` where a bound leaves it open, `undefined` if there is no condition. */
  readonly holds: boolean | null | undefined;
  /** Distinct traces; those whose final state the filter rejects do not count. */
  readonly executions: number;
  readonly blocked: number;
  /** Every one of these traces is acyclic; `null` where a bound leaves it open. */
  readonly robust: boolean | null;
  readonly visitedStates: number;
  readonly boundedBy: readonly Bound[];
  /** The bounds in words. */
  readonly bounds: readonly string[];
}

/** The most steps of one execution. Only a loop that waits takes more, and it can take any number. */
const MAX_STEPS = 1000;

/**
 * One test under one model, run a piece at a time: `advance` until it returns true, or `stop`; `result` at any time.
 */
export class LitmusRun {
  readonly test: LitmusTest;
  readonly machine: Machine;
  private readonly enumerator: Enumerator | undefined;
  private readonly maxStates: number;
  private readonly exploration: Exploration;
  private readonly traceKeys = new Set<string>();
  private readonly states = new Map<string, FinalState>();
  private executions = 0;
  private cyclic = false;

  constructor(
    test: LitmusTest,
    model: Model,
    maxStates: number = DEFAULT_MAX_STATES,
    options: { readonly interpret?: boolean } = {},
  ) {
    this.test = test;
    requireCapability(modelNamed(model), 'litmus');
    this.machine = new Machine(test.program, model, {}, options);
    this.maxStates = maxStates;
    const { dpor } = this.machine.description.capabilities;
    const { isAxiomatic } = this.machine.description;
    this.enumerator = dpor || isAxiomatic ? undefined : new Enumerator(this.machine, maxStates);
    const search = this.enumerator ?? (isAxiomatic ? this.graphs() : new MachineDpor(this.machine, 'optimal'));
    this.exploration = new Exploration(this.machine, search, {
      maxDepth: MAX_STEPS,
      onExecution: (_, outcome) => {
        if (outcome === 'complete') this.addExecution();
      },
    });
  }

  private graphs(): GraphSearch {
    const { test, machine } = this;
    const reason = unsuitable(test, machine.model);
    if (reason !== undefined) throw new Error(reason);
    return new GraphSearch(machine, axiomsOf(modelNamed(machine.model)));
  }

  advance(steps: number): boolean {
    if (this.enumerator !== undefined) return this.exploration.advance(steps);
    const left = this.maxStates - this.visitedStates;
    const done = this.exploration.advance(Math.min(steps, left));
    if (!done && this.visitedStates >= this.maxStates) {
      this.exploration.cut({ kind: 'states', limit: this.maxStates });
    }
    return done || this.visitedStates >= this.maxStates;
  }

  stop(why: Stop): void {
    this.exploration.stop(why);
  }

  /** States of the machine visited so far; one per step if the search does not recognise visited states. */
  get visitedStates(): number {
    return this.enumerator?.states ?? this.exploration.steps;
  }

  private addExecution(): void {
    const { machine, test } = this;
    const trace = new ShashaSnirTrace(machine.events, machine.processes);
    if (this.enumerator !== undefined && !this.isNew(trace)) return;
    const values = test.observed.map((observed) => readValue(machine, observed));
    // Executions that the filter rejects do not count.
    if (test.filter !== undefined && !evaluate(test.filter, values)) return;
    this.executions++;
    this.cyclic ||= !isAcyclic(trace);
    const stateKey = values.map(String).join(',');
    if (this.states.has(stateKey)) return;
    const satisfies = test.condition === undefined ? undefined : evaluate(test.condition.proposition, values);
    this.states.set(stateKey, { values, satisfies, schedule: printSchedule(machine, scheduleOf(machine)) });
  }

  private isNew(trace: ShashaSnirTrace): boolean {
    const key = new IntVector();
    trace.encode(key);
    const before = this.traceKeys.size;
    return this.traceKeys.add(key.toKey()).size > before;
  }

  get result(): LitmusResult {
    const { test, machine } = this;
    const found = this.exploration.result;
    // A litmus program can fail only in ways that its author did not ask about, such as a wild address.
    const faults = found.errors.map(({ error }): Bound => ({ kind: 'fault', what: printError(error) }));
    const boundedBy = [...found.boundedBy.filter(({ kind }) => kind !== 'first error'), ...faults];
    const bounds = boundedBy.map(printBound);
    const states = [...this.states.values()].sort((a, b) => compareValues(a.values, b.values));
    const exhausted = bounds.length === 0;
    const holds = this.answer(states, exhausted);
    const failed = holds === false && test.condition?.quantifier !== 'exists';
    return {
      test,
      model: machine.model,
      verdict: failed ? { kind: 'violation' } : verdictWithoutViolation(bounds),
      states,
      holds,
      executions: this.executions,
      blocked: found.blocked,
      robust: this.cyclic ? false : exhausted ? true : null,
      visitedStates: this.visitedStates,
      boundedBy,
      bounds,
    };
  }

  private answer(states: readonly FinalState[], exhausted: boolean): boolean | null | undefined {
    const quantifier = this.test.condition?.quantifier;
    if (quantifier === undefined) return undefined;
    const holds = states.map(({ satisfies }) => satisfies === true);
    return answer(quantifier, holds, exhausted);
  }
}

/** Why the model has no answer for the test. */
export function unsuitable({ arch }: LitmusTest, model: Model): string | undefined {
  if (arch === 'C' || !modelNamed(model).isAxiomatic) return undefined;
  return `${model} is the model of a language: it takes tests in C, not in ${arch}`;
}

function readValue(machine: Machine, observed: Observed): StateValue {
  const bits = bitsOf(observed.type);
  const [low, high] =
    observed.kind === 'register'
      ? machine.register(observed.root, observed.register)
      : machine.global(observed.global, observed.offset, bits / 8);
  const shift = observed.kind === 'register' ? BigInt(observed.shift) : 0n;
  const value = BigInt.asIntN(bits, ((BigInt(high) << 32n) | BigInt(low >>> 0)) >> shift);
  if (observed.pointer) {
    const name = addressName(machine, Number(value));
    if (name !== undefined) return name;
  }
  return bits === 64 ? value : Number(value);
}

function addressName(machine: Machine, address: number): string | undefined {
  const { globals } = machine.program;
  for (const [index, global] of globals.entries()) {
    const offset = address - machine.layout.globals[index]!;
    if (offset >= 0 && offset < global.size) return nameOfAddress(global, offset);
  }
  return undefined;
}

function compareValues(a: readonly StateValue[], b: readonly StateValue[]): number {
  for (const [i, left] of a.entries()) {
    const right = b[i]!;
    if (left === right) continue;
    const numeric = typeof left !== 'string' && typeof right !== 'string';
    return (numeric ? left < right : String(left) < String(right)) ? -1 : 1;
  }
  return 0;
}
