/**
 * This checkout against another one, alternating in one process, because the machine's speed changes within seconds:
 *
 *   node --import ./bench/typescript.mjs bench/turns.ts OTHER_CHECKOUT [PART OF A CASE NAME]
 *
 * Prints, per case of the suite `dpor`, the CPU time of this checkout over that of the other: the median ratio of
 * neighbouring turns, and the ratio of the fastest turns. The numbers of executions must be equal.
 */
import { fork } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Model } from '../src/models/index.ts';
import { suites } from './suites.ts';

type Search = typeof import('./search.ts');

const WARM_UP = 1.5;
const TURN = 0.25;
const TURNS = 9;

interface Side {
  /** Runs the search once and returns CPU seconds and executions. */
  run(): { readonly seconds: number; readonly executions: number };
}

type MakeSearch = typeof import('../src/explore/dpor/machine/machine-dpor.ts').MachineDpor;

/** The search of a checkout; older ones have it under another name. */
async function findSearch(from: (path: string) => Promise<unknown>): Promise<MakeSearch> {
  try {
    return ((await from('src/explore/dpor/machine/machine-dpor.ts')) as { MachineDpor: MakeSearch }).MachineDpor;
  } catch {
    return ((await from('src/explore/dpor/dpor.ts')) as { Dpor: MakeSearch }).Dpor;
  }
}

async function open(checkout: string, name: string): Promise<Side> {
  const from = (path: string): Promise<unknown> => import(pathToFileURL(resolve(checkout, path)).href);
  const { loadProgram, cpuSeconds } = (await from('bench/search.ts')) as Search;
  const { Machine } = (await from('src/machine/machine.ts')) as typeof import('../src/machine/machine.ts');
  const MachineDpor = await findSearch(from);
  const { Exploration } = (await from('src/explore/explore.ts')) as typeof import('../src/explore/explore.ts');
  const input = suites.find((suite) => suite.name === 'dpor')!.input!(name);
  const program = await loadProgram(input.files, input.defines);
  const machine = new Machine(program, input.model as Model, {}, { spin: !name.startsWith('cas-loop') });
  return {
    run: () => {
      machine.rollback(0);
      const exploration = new Exploration(machine, new MachineDpor(machine, 'optimal'));
      const start = cpuSeconds();
      while (!exploration.advance(10_000));
      return { seconds: cpuSeconds() - start, executions: exploration.result.executions };
    },
  };
}

/** Seconds per search, over as many searches as make a turn. */
function turn(side: Side, least: number): { readonly seconds: number; readonly executions: number } {
  let [seconds, count, executions] = [0, 0, 0];
  while (seconds < least) {
    const once = side.run();
    seconds += once.seconds;
    executions = once.executions;
    count++;
  }
  return { seconds: seconds / count, executions };
}

async function compare(other: string, name: string): Promise<void> {
  const sides = [await open(fileURLToPath(new URL('..', import.meta.url)), name), await open(other, name)] as const;
  for (const side of sides) turn(side, WARM_UP);
  const ratios: number[] = [];
  const best = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < TURNS; i++) {
    // The order alternates, so that a drift of the machine's speed favours neither.
    const order = i % 2 === 0 ? [0, 1] : [1, 0];
    const taken = [0, 0];
    const counts = [0, 0];
    for (const side of order) {
      const { seconds, executions } = turn(sides[side]!, TURN);
      taken[side] = seconds;
      best[side] = Math.min(best[side]!, seconds);
      counts[side] = executions;
    }
    if (counts[0] !== counts[1]) throw new Error(`${name}: ${counts[0]} executions here, ${counts[1]} there`);
    ratios.push(taken[0]! / taken[1]!);
  }
  ratios.sort((x, y) => x - y);
  const middle = ratios[ratios.length >> 1]!;
  console.log(`${name.padEnd(20)} ${middle.toFixed(3)}  fastest ${(best[0]! / best[1]!).toFixed(3)}`);
}

const [other, filter = '', child] = process.argv.slice(2);
if (other === undefined) {
  console.error('node --import ./bench/typescript.mjs bench/turns.ts OTHER_CHECKOUT [PART OF A CASE NAME]');
  process.exitCode = 2;
} else if (child !== undefined) await compare(other, filter);
else {
  const names = suites.find((suite) => suite.name === 'dpor')!.cases.filter((name) => name.includes(filter));
  for (const name of names) {
    await new Promise((done) => fork(fileURLToPath(import.meta.url), [other, name, 'case']).on('exit', done));
  }
}
