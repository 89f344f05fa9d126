/**
 * Observation sets, as in [RELAXER] Sect. 5.2: the results of a program's operations when each of them runs
 * atomically, in every order that the threads allow. An execution with other results is wrong, whatever it asserts.
 *
 * An observation consists of the arguments and results of each thread's operations, in program order. It does not
 * include when they ran: results are compared, not linearised, so real-time order is ignored unless a result reveals
 * it.
 */
import type { Bound } from '../explore/bound.ts';
import { explore } from '../explore/explore.ts';
import { Serial } from '../explore/serial.ts';
import type { ProgramError } from '../machine/code/error.ts';
import { Machine, type Outcome } from '../machine/machine.ts';
import { SC } from '../models/sc.ts';
import type { Program } from '../program/ir.ts';
import { usesOperation } from '../program/uses.ts';

/** States of serial executions to visit before giving up, and steps of each. */
const MAX_STATES = 1_000_000;
const MAX_STEPS = 20_000;
/** How many serial results are shown with one that is not among them. */
const NEAREST = 3;

interface Operation {
  readonly thread: string;
  /** `push(1)`. */
  readonly call: string;
  /** Absent if the operation never returned. */
  readonly result?: number;
}

type Observation = readonly Operation[];

/** Whether the program marks operations at all. */
export function marksOperations(program: Program): boolean {
  return usesOperation(program, 'mark');
}

/** The results of the operations in the machine's execution so far, thread by thread. */
export function observe({ printer, processes }: Machine): Observation {
  const operations: Operation[] = [];
  for (const slot of processes.slotsInNameOrder) {
    const thread = processes.threadName(slot);
    for (const { name, value } of printer.marks.filter((mark) => mark.thread === slot)) {
      if (name !== undefined) operations.push({ thread, call: `${name}(${value})` });
      else operations.push({ ...operations.pop()!, result: value });
    }
  }
  return operations;
}

/**
 * The error of an operation that its thread began and did not end before the thread ended. Without a result, it cannot
 * be compared.
 */
export function unendedOperation(
  { printer, processes, threads, code }: Machine,
  outcome: Outcome,
): ProgramError | undefined {
  if (outcome !== 'complete') return undefined;
  for (const slot of processes.slotsInNameOrder) {
    const last = printer.marks.findLast(({ thread }) => thread === slot);
    if (last?.name === undefined || !threads.hasFinished(slot)) continue;
    const location = code.sites[last.site]?.instruction.location;
    return {
      kind: 'misuse',
      message: `operation ${last.name}(${last.value}) has no fencepost_op_end before its thread ends; begun`,
      thread: processes.threadName(slot),
      ...(location === undefined ? {} : { file: location.file, line: location.line, column: location.column }),
    };
  }
  return undefined;
}

/** `0.1: push(1) = 0, pop(0) = 2; 0.2: push(2) = 0` */
export function printObservation(observation: Observation): string {
  const threads = [...new Set(observation.map(({ thread }) => thread))];
  const printOne = ({ call, result }: Operation): string => `${call} = ${result ?? '(did not complete)'}`;
  return threads
    .map((name) => {
      const own = observation.filter(({ thread }) => thread === name);
      return `${name}: ${own.map(printOne).join(', ')}`;
    })
    .join('; ');
}

/** The results of all serial executions of a program. */
export class ObservationSet {
  private readonly legal = new Map<string, Observation>();
  /** Why the set is incomplete, if it is; then it cannot show that a result is wrong. */
  readonly incomplete: Bound | undefined;

  constructor(program: Program) {
    const machine = new Machine(program, SC.name, {}, { spin: true });
    const { boundedBy } = explore(machine, new Serial(machine, MAX_STATES), {
      // Serial executions that fail are failures under SC, which are reported separately.
      keepGoing: true,
      maxDepth: MAX_STEPS,
      onExecution: (_, outcome) => {
        if (outcome === 'complete') this.add(observe(machine));
      },
    });
    this.incomplete = boundedBy.length === 0 ? undefined : { kind: 'serial', bounds: boundedBy };
  }

  private add(observation: Observation): void {
    this.legal.set(printObservation(observation), observation);
  }

  get size(): number {
    return this.legal.size;
  }

  /** The error of the machine's execution, if an operation does not end or no serial execution has its results. */
  readonly judge = (machine: Machine, outcome: Outcome): ProgramError | undefined => {
    const unended = unendedOperation(machine, outcome);
    if (unended !== undefined || outcome !== 'complete') return unended;
    if (this.incomplete !== undefined) return undefined;
    const observation = observe(machine);
    const text = printObservation(observation);
    if (this.legal.has(text)) return undefined;
    const nearest = this.nearest(observation);
    return {
      kind: 'assertion',
      message: `no serial execution of the operations has these results: ${text}`,
      notes:
        nearest.length === 0
          ? ['no serial execution runs to its end']
          : nearest.map(({ legal, differences }) => `serial, ${differences}: ${printObservation(legal)}`),
    };
  };

  private nearest(observation: Observation): { legal: Observation; differences: string }[] {
    const compared = [...this.legal.values()].map((legal) => ({ legal, count: countDifferences(legal, observation) }));
    compared.sort((a, b) => a.count - b.count);
    return compared.slice(0, NEAREST).map(({ legal, count }) => ({
      legal,
      differences: `${count} ${count === 1 ? 'operation differs' : 'operations differ'}`,
    }));
  }
}

function countDifferences(a: Observation, b: Observation): number {
  let count = Math.abs(a.length - b.length);
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const isSame = a[i]!.thread === b[i]!.thread && a[i]!.call === b[i]!.call && a[i]!.result === b[i]!.result;
    if (!isSame) count++;
  }
  return count;
}
