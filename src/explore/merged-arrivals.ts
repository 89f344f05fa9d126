/**
 * Barriers whose arrivals commute: docs/decisions/0038-barriers.md. The library has two ways to pass a barrier (`lib/barrier.c`), and a
 * variable of its own says which one is taken. A search without the order of operations that commute takes the merged one.
 *
 * An error is found in an execution of the merged way. `inOrder` makes the same execution of the program as it is: nobody but the
 * search knows that there are two.
 */
import * as op from '../machine/code/opcodes.ts';
import { parseProcess, processName } from '../machine/describe/names.ts';
import * as ev from '../machine/events/event.ts';
import type { Machine } from '../machine/machine.ts';
import { NextAccess } from '../machine/next-access.ts';
import { choiceOf, processOf, type Step, stepOf } from '../machine/state/process.ts';
import type { Global, Instruction, Program } from '../program/ir.ts';
import type { Schedule } from './schedule.ts';

const MERGES = '__fencepost_merges_arrivals';
const NEEDS_ORDER = '__fencepost_needs_order';
/** Part of every function that calls it, as a rule: a function is not made longer without end. */
const WAIT = 'pthread_barrier_wait';

/** A barrier is used in a way for which arrivals must not be merged. */
export class OrderOfArrivals extends Error {
  override readonly name = 'OrderOfArrivals';
}

const known = new WeakMap<Program, Program>();

/** The program with merged arrivals; itself if it has no barriers, or if merging would not help. */
export function withMergedArrivals(program: Program): Program {
  let merged = known.get(program);
  if (merged === undefined) {
    merged = canMerge(program) ? { ...program, globals: program.globals.map(set) } : program;
    known.set(program, merged);
  }
  return merged;
}

/** Inside a function of the library, operations do not commute: there would be more orders, not fewer. */
function canMerge({ globals, functions }: Program): boolean {
  if (!globals.some(({ name }) => name === MERGES)) return false;
  const isCall = (i: Instruction): boolean =>
    i.op === 'call' && i.callee.kind === 'function' && functions[i.callee.index]!.name === WAIT;
  return !functions.some(({ blocks }) => blocks.some(({ body }) => body.some(isCall)));
}

function set(global: Global): Global {
  return global.name === MERGES ? { ...global, init: new Uint8Array([1, 0, 0, 0]) } : global;
}

/** Whether the machine's execution uses a barrier in a way for which arrivals must not be merged. */
export function needsOrder(machine: Machine): boolean {
  const index = machine.program.globals.findIndex(({ name }) => name === NEEDS_ORDER);
  return index >= 0 && machine.global(index, 0, 4)[0] !== 0;
}

/**
 * The steps on `plain` that do what the execution of `merged` has done: arrivals come in the same order, whoever is last opens the gate
 * instead of counting, and the others do not count. Fewer if `plain` ends earlier: behind a barrier, the thread that was last goes
 * on first. Leaves `plain` where they lead.
 */
export function inOrder(merged: Machine, plain: Machine): Schedule {
  const { events } = merged;
  const next = new NextAccess(plain);
  const schedule: Step[] = [];
  /** Threads that have opened the gate. */
  const passed = new Set<number>();
  plain.rollback(0);
  for (let event = 0; event < merged.depth; event++) {
    const taken = events.get(event, ev.E_STEP);
    const process = parseProcess(plain, processName(merged, processOf(taken)));
    const step = stepOf(process, choiceOf(taken));
    if (plain.processes.isThread(process) && events.get(event, ev.E_KIND) === ev.RMW_EVENT) {
      next.of(process);
      const isOther = next.address !== events.get(event, ev.E_ADDRESS);
      const isAwait = (events.get(event, ev.E_FLAGS) & ev.BLOCKS) !== 0;
      if (isAwait && isOther && passed.delete(process)) continue;
      if (!isAwait && isOther && next.operation === op.AWAIT) continue;
      if (!isAwait && isOther) passed.add(process);
    }
    if (!isEnabled(plain, step)) break;
    plain.step(step);
    schedule.push(step);
  }
  return schedule;
}

function isEnabled(machine: Machine, step: Step): boolean {
  machine.enabled();
  const { steps } = machine;
  for (let i = 0; i < steps.length; i++) if (steps.get(i) === step) return true;
  return false;
}
