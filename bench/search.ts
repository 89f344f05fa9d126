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
  const paths = files.map((file) => fileURLToPath(new URL(`../programs/${file}`, import.meta.url)));
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
}

export interface Search {
  readonly result: ExplorationResult;
  /** Most nodes that the wakeup tree ever had. */
  readonly largestTree: number;
  /** Lengths of all executions together; `result.steps` has only what was run, and not what was kept from before. */
  readonly events: number;
  /** Per CPU second, once the engine has compiled what runs often; of all of it if it ends before that. */
  readonly rates: { readonly executions: number; readonly events: number; readonly steps: number };
}

/** CPU seconds before the clock starts. One search is measured and no second one, which the engine would run slower. */
const WARM_UP = 2;
const SLICE_STEPS = 10_000;

/** Every trace of `programs/scale/NAME.c` for this N, with Optimal-DPOR. */
export async function searchScaled(
  name: string,
  n: number,
  model: Model,
  options: SearchOptions = {},
): Promise<Search> {
  const program = await loadProgram([`scale/${name}.c`], [`N=${n}`]);
  const machine = new Machine(program, model, {}, { spin: options.spin ?? true });
  const strategy = new Dpor(machine, 'optimal');
  let events = 0;
  const exploration = new Exploration(machine, strategy, {
    onExecution: () => {
      events += machine.depth;
    },
    ...(options.maxExecutions === undefined ? {} : { maxExecutions: options.maxExecutions }),
  });
  const zero = { seconds: cpuSeconds(), executions: 0, events: 0, steps: 0 };
  const now = (): typeof zero => {
    const { executions, steps } = exploration.result;
    return { seconds: cpuSeconds(), executions, events, steps };
  };
  let start = zero;
  let isDone = false;
  while (!isDone && start === zero) {
    isDone = exploration.advance(SLICE_STEPS);
    if (!isDone && cpuSeconds() - zero.seconds > WARM_UP) start = now();
  }
  exploration.advance(Number.POSITIVE_INFINITY);
  const end = now();
  // Too little is left to measure by: then the warm-up counts too.
  if (end.seconds - start.seconds < WARM_UP / 2) start = zero;
  const seconds = end.seconds - start.seconds;
  return {
    result: exploration.result,
    largestTree: strategy.tree.largest,
    events,
    rates: {
      executions: Math.round((end.executions - start.executions) / seconds),
      events: Math.round((end.events - start.events) / seconds),
      steps: Math.round((end.steps - start.steps) / seconds),
    },
  };
}
