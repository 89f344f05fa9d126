/**
 * Two checkouts alternating in one process: the machine's speed changes within seconds, so only neighbouring turns can
 * be compared. Each side runs its own copy of every module, on programs that it has compiled itself.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Model } from '../src/models/index.ts';

type Search = typeof import('./search.ts');
type MakeSearch = typeof import('../src/explore/dpor/machine/machine-dpor.ts').MachineDpor;

/** A program, and how it is searched. */
export interface Compared {
  /** Relative to `programs/`. */
  readonly file: string;
  readonly defines: readonly string[];
  readonly model: Model;
  readonly spin: boolean;
}

export interface Side {
  /** Runs the search once and returns CPU seconds and executions. */
  run(): Once;
}

export interface Once {
  readonly seconds: number;
  readonly executions: number;
}

/** The search of a checkout; older checkouts have it under another name. */
async function findSearch(from: (path: string) => Promise<unknown>): Promise<MakeSearch> {
  try {
    return ((await from('src/explore/dpor/machine/machine-dpor.ts')) as { MachineDpor: MakeSearch }).MachineDpor;
  } catch {
    return ((await from('src/explore/dpor/dpor.ts')) as { Dpor: MakeSearch }).Dpor;
  }
}

export async function openSide(checkout: string, { file, defines, model, spin }: Compared): Promise<Side> {
  const from = (path: string): Promise<unknown> => import(pathToFileURL(resolve(checkout, path)).href);
  const { loadProgram, cpuSeconds, graphSearch } = (await from('bench/search.ts')) as Search;
  const { Machine } = (await from('src/machine/machine.ts')) as typeof import('../src/machine/machine.ts');
  const MachineDpor = await findSearch(from);
  const { Exploration } = (await from('src/explore/explore.ts')) as typeof import('../src/explore/explore.ts');
  const program = await loadProgram([file], defines);
  const machine = new Machine(program, model, {}, { spin });
  return {
    run: () => {
      machine.rollback(0);
      const strategy = model === 'rc11' ? graphSearch(machine) : new MachineDpor(machine, 'optimal');
      const exploration = new Exploration(machine, strategy);
      const start = cpuSeconds();
      while (!exploration.advance(10_000));
      return { seconds: cpuSeconds() - start, executions: exploration.result.executions };
    },
  };
}

/** How long to measure, in CPU seconds. */
export interface Effort {
  /** Per side. */
  readonly warmUp: number;
  /** At least; a longer search is a turn by itself. */
  readonly turn: number;
  /** Of each side. */
  readonly turns: number;
}

export interface Comparison {
  /** Time of the first side over that of the second: the median over all pairs of neighbouring turns. */
  readonly ratio: number;
  /** The same, for the fastest turns. */
  readonly fastest: number;
  /** Of one search, by side. */
  readonly executions: readonly [number, number];
}

export function compareSides(sides: readonly [Side, Side], { warmUp, turn, turns }: Effort): Comparison {
  // The warm-up alternates, too: the engine compiles both at the same time.
  for (let spent = 0; spent < warmUp; ) {
    const [first, second] = [sides[0].run(), sides[1].run()];
    spent += Math.min(first.seconds, second.seconds);
  }
  const ratios: number[] = [];
  const best: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const executions: [number, number] = [0, 0];
  for (let i = 0; i < turns; i++) {
    const taken: [number, number] = [0, 0];
    // The order alternates, so that a drift of the machine's speed favours neither.
    for (const side of i % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const once = takeTurn(sides[side], turn);
      taken[side] = once.seconds;
      best[side] = Math.min(best[side], once.seconds);
      executions[side] = once.executions;
    }
    ratios.push(taken[0] / taken[1]);
  }
  ratios.sort((x, y) => x - y);
  return { ratio: ratios[ratios.length >> 1]!, fastest: best[0] / best[1], executions };
}

/** Seconds per search, over as many searches as fill a turn. */
function takeTurn(side: Side, least: number): Once {
  let [seconds, count, executions] = [0, 0, 0];
  while (seconds < least) {
    const once = side.run();
    seconds += once.seconds;
    executions = once.executions;
    count++;
  }
  return { seconds: seconds / count, executions };
}
