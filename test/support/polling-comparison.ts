/** Compares what the search says of a program that polls with all states that it can reach. */
import { MachineDpor } from '../../src/explore/dpor/machine/machine-dpor.ts';
import type { MachineOptions } from '../../src/machine/machine.ts';
import type { Program } from '../../src/program/ir.ts';
import type { CheckedModel } from './c.ts';
import { final, finalStates, type Limited } from './final-states.ts';
import { reachable } from './reachable.ts';

const GLOBALS = /^(x|y|n|data|cache|kept)$/;
const LIMITED: Limited = { maxExecutions: 300, maxDepth: 100, globals: GLOBALS };
const MAX_STATES = 1500;

export interface Compared {
  /** How the answers differ; `undefined` if they agree. */
  readonly difference: string | undefined;
  /** The program is too large for the oracle, or for the search. */
  readonly cut: 'oracle' | 'search' | undefined;
  readonly errors: readonly string[];
  readonly executions: number;
  readonly blocked: number;
}

/** `asWritten`: the program that all states are those of. */
export function comparePolling(
  program: Program,
  model: CheckedModel,
  options: MachineOptions = {},
  asWritten: Program = program,
): Compared {
  const all = reachable(asWritten, model, MAX_STATES, (machine) => final(machine, asWritten, GLOBALS));
  const compared = { difference: undefined, errors: all.errors, executions: 0, blocked: 0 };
  if (all.cut) return { ...compared, cut: 'oracle' };
  const differences: string[] = [];
  let counts = { executions: 0, blocked: 0 };
  for (const mode of ['optimal', 'source'] as const) {
    const found = finalStates(program, model, (m) => new MachineDpor(m, mode), { awaits: true, ...options }, LIMITED);
    if (found === undefined) return { ...compared, cut: 'search' };
    counts = { executions: found.executions, blocked: found.blocked };
    const isOther = JSON.stringify([found.finals, found.errors]) !== JSON.stringify([all.finals, all.errors]);
    // An error ends its execution, and may hide others.
    const hides = all.errors.some((kind) => kind !== 'liveness') && found.errors.length > 0;
    const isNew =
      found.finals.some((state) => !all.finals.includes(state)) ||
      found.errors.some((kind) => !all.errors.includes(kind));
    if (hides ? isNew : isOther)
      differences.push(
        `${mode}: ${JSON.stringify({ all: [all.finals, all.errors], found: [found.finals, found.errors] })}`,
      );
  }
  return {
    ...compared,
    ...counts,
    cut: undefined,
    difference: differences.length > 0 ? differences.join('\n') : undefined,
  };
}
