/**
 * The speed of the machine itself: visible operations per second in random runs that choose a thread at every
 * operation.
 */
import { fileURLToPath } from 'node:url';
import { Exploration } from '../src/explore/explore.ts';
import { Random } from '../src/explore/random.ts';
import { loadCProgram } from '../src/frontend/llvm/c-program.ts';
import { HEADERS } from '../src/frontend/llvm/clang/library.ts';
import { Machine } from '../src/machine/machine.ts';
import { type Model, modelsWith } from '../src/models/index.ts';
import type { Measurement, Suite } from './suite.ts';

const SEED = 1;
/** Runs before the clock starts; their steps are counted. */
const WARM_UP_RUNS = 1000;
const SLICE_STEPS = 100_000;
const SLICES = 101;

export const core: Suite = {
  name: 'core',
  about: 'visible operations per CPU second in random runs of bench/programs/core.c',
  cases: modelsWith('dpor').flatMap((model) => [`${model} generated`, `${model} interpreted`]),
  measure,
  alone: 'it makes random runs',
};

/** CPU seconds of this process: less affected by other work on the machine than wall-clock time. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function measure(name: string): Promise<Measurement> {
  const [model, how] = name.split(' ') as [Model, string];
  const { program } = await loadCProgram([fileURLToPath(new URL('programs/core.c', import.meta.url))], {
    defines: [],
    undefines: [],
    includePaths: [],
    includes: [],
    cache: true,
    headers: HEADERS,
    entry: 'main',
    arguments: [],
  });
  const machine = new Machine(program, model, {}, { interpret: how === 'interpreted' });
  const warmUp = new Exploration(machine, new Random(SEED, WARM_UP_RUNS));
  warmUp.advance(Number.POSITIVE_INFINITY);
  const { steps, executions } = warmUp.result;
  const measured = new Exploration(machine, new Random(SEED, Number.POSITIVE_INFINITY));
  const rates: number[] = [];
  for (let slice = 0; slice < SLICES; slice++) {
    const started = cpuSeconds();
    measured.advance(SLICE_STEPS);
    rates.push(SLICE_STEPS / (cpuSeconds() - started));
  }
  rates.sort((a, b) => a - b);
  const [median, best] = [rates[SLICES >> 1]!, rates[SLICES - 1]!];
  return {
    counts: { executions, steps },
    rates: { 'operations/s': Math.round(median), 'best slice': Math.round(best) },
  };
}
