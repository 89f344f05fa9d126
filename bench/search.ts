/** What the suites about searches share: a C program, a search of all its traces, and the time that it took. */
import { fileURLToPath } from 'node:url';
import { Dpor } from '../src/explore/dpor/dpor.ts';
import { Exploration, type ExplorationResult } from '../src/explore/explore.ts';
import { loadCProgram } from '../src/frontend/llvm/c-program.ts';
import { HEADERS } from '../src/frontend/llvm/library.ts';
import { Machine } from '../src/machine/machine.ts';
import type { Model } from '../src/machine/memory/memory.ts';
import type { Program } from '../src/program/ir.ts';

/** Seconds that this process has had a processor for: others on the machine disturb less than by the clock. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Files are relative to `programs/`. */
export async function loadProgram(files: readonly string[], defines: readonly string[]): Promise<Program> {
  const paths = files.map((file) => fileURLToPath(new URL(file, new URL('../programs/', import.meta.url))));
  const { program } = await loadCProgram(paths, {
    defines,
    undefines: [],
    includePaths: [],
    includes: [],
    cache: true,
    headers: HEADERS,
    entry: 'main',
    arguments: [],
  });
  return program;
}

export interface SearchOptions {
  /** Leave out iterations of loops that only wait. */
  readonly spin?: boolean;
  readonly maxExecutions?: number;
  /** Not again if it is over too soon to be measured; the rates are then of little worth. */
  readonly once?: true;
}

export interface Search {
  readonly result: ExplorationResult;
  /** Most nodes that the wakeup tree ever had. */
  readonly largestTree: number;
  /** Lengths of all executions together; `result.steps` has only what was run, and not what was kept from before. */
  readonly events: number;
  /** Per CPU second, once the engine has compiled what runs often. */
  readonly rates: { readonly executions: number; readonly events: number; readonly steps: number };
}

/** CPU seconds before the clock starts, and after which it may stop. */
const WARM_UP = 2;
const MEASURED = 2;
const SLICE_STEPS = 10_000;

/**
 * Every trace of `programs/scale/NAME.c` for this N, with Optimal-DPOR. A search that is over too soon to be measured is
 * run again, as often as it takes; then the counts are those of the last one.
 */
export async function searchScaled(
  name: string,
  n: number,
  model: Model,
  options: SearchOptions = {},
): Promise<Search> {
  const program = await loadProgram([`scale/${name}.c`], [`N=${n}`]);
  const machine = new Machine(program, model, {}, { spin: options.spin ?? true });
  // Of the searches that are over.
  const before = { executions: 0, events: 0, steps: 0 };
  let events = 0;
  let search = begin();
  const start = now();
  let clock: ReturnType<typeof now> | undefined;

  function begin(): { readonly strategy: Dpor; readonly exploration: Exploration } {
    machine.rollback(0);
    events = 0;
    const strategy = new Dpor(machine, 'optimal');
    const exploration = new Exploration(machine, strategy, {
      onExecution: () => {
        events += machine.depth;
      },
      ...(options.maxExecutions === undefined ? {} : { maxExecutions: options.maxExecutions }),
    });
    return { strategy, exploration };
  }

  function now(): { readonly seconds: number; executions: number; events: number; steps: number } {
    const { executions, steps } = search.exploration.result;
    return {
      seconds: cpuSeconds(),
      executions: before.executions + executions,
      events: before.events + events,
      steps: before.steps + steps,
    };
  }

  for (;;) {
    const isDone = search.exploration.advance(SLICE_STEPS);
    if (isDone && options.once === true) break;
    if (isDone && clock !== undefined && cpuSeconds() - clock.seconds >= MEASURED) break;
    if (isDone) {
      const { executions, events, steps } = now();
      Object.assign(before, { executions, events, steps });
      search = begin();
    }
    if (clock === undefined && cpuSeconds() - start.seconds >= WARM_UP) clock = now();
  }
  const end = now();
  clock ??= start;
  const seconds = end.seconds - clock.seconds;
  return {
    result: search.exploration.result,
    largestTree: search.strategy.tree.largest,
    events,
    rates: {
      executions: Math.round((end.executions - clock.executions) / seconds),
      events: Math.round((end.events - clock.events) / seconds),
      steps: Math.round((end.steps - clock.steps) / seconds),
    },
  };
}
