/**
 * Everything a program can do: every reachable state, each visited once, whatever path leads to it.
 *
 * Unlike the strategies in `src/explore`, which distinguish executions by their traces, this terminates for programs
 * whose loops wait for other threads: an idle iteration returns to the same state. So it decides, for a program with
 * finitely many states, which errors there are, and whether it can get stuck: reach a state from which no end can be
 * reached. It says nothing about traces, and what it finds has no schedule.
 */

import type { ErrorKind } from '../../src/machine/code/error.ts';
import { describeDeadlock } from '../../src/machine/describe/deadlock.ts';
import { programError } from '../../src/machine/describe/program-error.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { Limits } from '../../src/machine/state/layout.ts';
import { H_ERROR, H_LIMIT, T_EVENTS } from '../../src/machine/state/layout.ts';
import type { Step } from '../../src/machine/state/process.ts';
import type { Model } from '../../src/models/index.ts';
import type { Program } from '../../src/program/ir.ts';
import { IntVector } from '../../src/util/int-vector.ts';

export interface Reachable {
  readonly states: number;
  /** Kinds of errors that some execution ends in; `liveness` if some execution can no longer end. Sorted. */
  readonly errors: readonly string[];
  /** What `observe` returned at the end of each complete execution, each once. Sorted. */
  readonly finals: readonly string[];
  /** Some state was left out: there were too many, or the machine ran out of room. */
  readonly cut: boolean;
}

/** Room for small programs, which is much faster to allocate than the default; running out of it is detected. */
const SMALL: Partial<Limits> = { threads: 8, frameWords: 1 << 12, stackBytes: 1 << 14, heapBytes: 1 << 14 };

/** A state on the current path: its number, its steps, and how many of them have been tried. */
interface Frame {
  readonly state: number;
  readonly depth: number;
  readonly steps: readonly Step[];
  tried: number;
}

export function reachable(
  program: Program,
  model: Model,
  maxStates = 200_000,
  observe: (machine: Machine) => string = () => '',
): Reachable {
  const machine = new Machine(program, model, SMALL);
  const numbers = new Map<string, number>();
  /** Per state: its predecessors. */
  const before: number[][] = [];
  const ends: number[] = [];
  const errors = new Set<ErrorKind>();
  const finals = new Set<string>();
  const scratch = new IntVector();
  let cut = false;

  const enter = (from: number): Frame | undefined => {
    const key = stateKey(machine, scratch);
    const known = numbers.get(key);
    const state = known ?? numbers.size;
    if (known === undefined) {
      numbers.set(key, state);
      before.push([]);
    }
    if (from >= 0) before[state]!.push(from);
    if (known !== undefined) return undefined;
    const steps = Array.from({ length: machine.enabled() }, (_, i) => machine.steps.get(i));
    if (steps.length === 0) {
      const { outcome } = machine;
      ends.push(state);
      if (outcome === 'limit') cut = true;
      else if (outcome === 'complete') finals.add(observe(machine));
      else if (outcome === 'error' || outcome === 'deadlock')
        errors.add((programError(machine) ?? describeDeadlock(machine)).kind);
    }
    return { state, depth: machine.depth, steps, tried: 0 };
  };

  const path = [enter(-1)!];
  for (let top = path.at(-1); top !== undefined && !cut; top = path.at(-1)) {
    if (top.tried === top.steps.length) {
      path.pop();
      continue;
    }
    machine.rollback(top.depth);
    machine.step(top.steps[top.tried++]!);
    const next = enter(top.state);
    if (next !== undefined) path.push(next);
    if (numbers.size > maxStates) cut = true;
  }
  if (!cut && canGetStuck(before, ends)) errors.add('liveness');
  return { states: numbers.size, errors: [...errors].sort(), finals: [...finals].sort(), cut };
}

/** Clears the number of events, which the machine counts for traces, and which does not affect its future. */
function stateKey(machine: Machine, key: IntVector): string {
  const { threads, processes, state } = machine;
  for (let thread = 0; thread < processes.threadCount; thread++)
    if (threads.exists(thread)) threads.set(thread, T_EVENTS, 0);
  key.clear();
  machine.encode(key);
  // The machine stops in the middle of a failing step; the rest of the state may be unchanged.
  key.push(state.words[H_ERROR]!);
  key.push(state.words[H_LIMIT]!);
  return key.toKey();
}

/** Is there a state from which none of `ends` can be reached? */
function canGetStuck(before: readonly (readonly number[])[], ends: readonly number[]): boolean {
  const canEnd = new Uint8Array(before.length);
  const work = [...ends];
  for (let state = work.pop(); state !== undefined; state = work.pop()) {
    if (canEnd[state] === 1) continue;
    canEnd[state] = 1;
    work.push(...before[state]!);
  }
  return canEnd.includes(0);
}
