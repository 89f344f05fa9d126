/** What a search finds in a program with loops: final states, errors, and the number of executions. */
import { Exploration } from '../../src/explore/explore.ts';
import type { Strategy } from '../../src/explore/strategy.ts';
import { Machine, type MachineOptions } from '../../src/machine/machine.ts';
import type { Program } from '../../src/program/ir.ts';
import { CommutingWait } from '../../src/trace/commuting-writes.ts';
import { MixedWait } from '../../src/trace/wait-order.ts';
import type { CheckedModel } from './c.ts';

export interface FinalStates {
  readonly finals: readonly string[];
  /** Their kinds. */
  readonly errors: readonly string[];
  /** Complete ones. */
  readonly executions: number;
  readonly blocked: number;
  readonly abandoned: number;
}

export interface Limited {
  readonly maxExecutions: number;
  readonly maxDepth: number;
  /** In all executions, those that are cut included. */
  readonly maxSteps?: number;
  /** The global variables to observe at the end. Those that the program does not mention do not exist. */
  readonly globals: RegExp;
  /** Called at the end of each complete execution. */
  readonly onComplete?: (machine: Machine) => unknown;
}

/** `undefined` if the program is too large, or if it needs threads that read while they wait. */
export function finalStates(
  program: Program,
  model: CheckedModel,
  make: (machine: Machine) => Strategy,
  options: MachineOptions,
  { maxExecutions, maxDepth, maxSteps, globals, onComplete }: Limited,
): FinalStates | undefined {
  const machine = new Machine(program, model, {}, { spin: true, ...options });
  const finals = new Set<string>();
  let executions = 0;
  let blocked = 0;
  try {
    const exploration = new Exploration(machine, make(machine), {
      keepGoing: true,
      maxDepth,
      maxExecutions,
      onExecution: (_, outcome) => {
        if (outcome === 'blocked') blocked++;
        if (outcome !== 'complete') return;
        executions++;
        finals.add(final(machine, program, globals));
        onComplete?.(machine);
      },
    });
    if (!exploration.advance(maxSteps ?? Number.POSITIVE_INFINITY)) return undefined;
    const { bounds, errors, abandoned } = exploration.result;
    if (bounds.length > 0) return undefined;
    const kinds = new Set(errors.map(({ error }) => error.kind));
    return { finals: [...finals].sort(), errors: [...kinds].sort(), executions, blocked, abandoned };
  } catch (error) {
    if (error instanceof MixedWait || error instanceof CommutingWait) return undefined;
    throw error;
  }
}

/** The values of these globals. */
export function final(machine: Machine, { globals }: Program, names: RegExp): string {
  const values = globals.flatMap(({ name, size }, index) =>
    names.test(name) ? Array.from({ length: size / 4 }, (_, i) => machine.global(index, 4 * i, 4)[0]) : [],
  );
  return values.join(' ');
}
