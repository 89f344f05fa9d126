/**
 * Exactly one execution per trace, on programs large enough for a reduction to go wrong: the table of counts in the
 * design document, which come from another tool's sound mode and from brute force. `optimal` must run exactly that many
 * executions, none of them blocked or given up; `source` must complete as many, and may give up others on the way.
 *
 * Rows with more than 50,000 executions are in `npm run bench -- dpor`. The deep tier runs everything else; the
 * push tier runs the same programs with a smaller n.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { type ExplorationResult, explore } from '../../../src/explore/explore.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Program } from '../../../src/program/ir.ts';
import { type CheckedModel, loadFiles, MODELS } from '../../support/c.ts';
import { buildProgram, load, type Sketch, store } from '../../support/sketch.ts';
import { DEEP } from '../../support/tier.ts';

type Counts = Readonly<Record<CheckedModel, number>>;

function same(count: number): Counts {
  return { sc: count, tso: count, pso: count };
}

interface Row {
  readonly program: string;
  readonly n: number;
  readonly counts: Counts;
  /** Waiting loops run like any others. */
  readonly noSpin?: true;
}

const ROWS: readonly Row[] = [
  { program: 'readers', n: 15, counts: same(2 ** 15) },
  { program: 'writers', n: 5, counts: same(120 ** 2) },
  { program: 'one-reader', n: 7, counts: same(40320) },
  { program: 'lastzero', n: 9, counts: same(1536) },
  { program: 'fib', n: 5, counts: { sc: 8953, tso: 19404, pso: 19404 } },
  { program: 'sb-ring', n: 13, counts: { sc: 8191, tso: 8192, pso: 8192 } },
  { program: 'mp-ring', n: 5, counts: { sc: 211, tso: 243, pso: 1024 } },
  { program: 'mp-ring', n: 8, counts: { sc: 6305, tso: 6561, pso: 65536 } },
  { program: 'fetch-add', n: 8, counts: same(40320) },
  { program: 'mutex', n: 8, counts: same(40320) },
  { program: 'cas-loop', n: 4, counts: same(1536), noSpin: true },
  { program: 'indexer', n: 15, counts: same(4096) },
  { program: 'indexer', n: 16, counts: same(2 ** 15) },
];
/** Larger ones are in the bench, or in the deep tier. */
const LARGEST = DEEP ? 50_000 : 10_000;

/** The same programs, smaller, for the push tier; the counts come from the formulas behind the table. */
const EVERY_DAY: readonly Row[] = [
  { program: 'readers', n: 12, counts: same(2 ** 12) },
  { program: 'writers', n: 4, counts: same(24 ** 2) },
  { program: 'one-reader', n: 6, counts: same(5040) },
  { program: 'lastzero', n: 9, counts: same(1536) },
  { program: 'fib', n: 5, counts: { sc: 8953, tso: 19404, pso: 19404 } },
  { program: 'sb-ring', n: 11, counts: { sc: 2 ** 11 - 1, tso: 2 ** 11, pso: 2 ** 11 } },
  { program: 'mp-ring', n: 6, counts: { sc: 3 ** 6 - 2 ** 6, tso: 3 ** 6, pso: 4 ** 6 } },
  { program: 'fetch-add', n: 7, counts: same(5040) },
  { program: 'mutex', n: 7, counts: same(5040) },
  { program: 'cas-loop', n: 4, counts: same(1536), noSpin: true },
  { program: 'indexer', n: 15, counts: same(4096) },
];

/** Smaller still, for `source`; the counts come from the formulas behind the table. */
const SMALLER: readonly Row[] = [
  { program: 'readers', n: 10, counts: same(2 ** 10) },
  { program: 'writers', n: 4, counts: same(24 ** 2) },
  { program: 'one-reader', n: 5, counts: same(720) },
  { program: 'lastzero', n: 9, counts: same(1536) },
  { program: 'sb-ring', n: 9, counts: { sc: 2 ** 9 - 1, tso: 2 ** 9, pso: 2 ** 9 } },
  { program: 'mp-ring', n: 5, counts: { sc: 3 ** 5 - 2 ** 5, tso: 3 ** 5, pso: 4 ** 5 } },
  { program: 'fetch-add', n: 6, counts: same(720) },
  { program: 'mutex', n: 6, counts: same(720) },
  { program: 'cas-loop', n: 4, counts: same(1536), noSpin: true },
  { program: 'indexer', n: 14, counts: same(2 ** 9) },
];

/** Threads that exist from the start; the programs of `programs/scale` create and join them. */
const [x, y] = [0, 1];
const CLASSICS: readonly { readonly name: string; readonly threads: Sketch; readonly counts: Counts }[] = [
  {
    name: 'SB',
    threads: [
      [store(x, 1), load(y)],
      [store(y, 1), load(x)],
    ],
    counts: { sc: 3, tso: 4, pso: 4 },
  },
  {
    name: 'MP',
    threads: [
      [store(x, 1), store(y, 1)],
      [load(y), load(x)],
    ],
    counts: { sc: 3, tso: 3, pso: 4 },
  },
  { name: 'NIDHUGG Fig. 5', threads: [[store(x, 1), load(x)], [store(x, 2)]], counts: same(3) },
  {
    name: 'n6',
    threads: [
      [store(x, 1), load(x), load(y)],
      [store(y, 2), store(x, 2)],
    ],
    counts: { sc: 4, tso: 5, pso: 6 },
  },
  {
    name: '2+2W',
    threads: [
      [store(x, 1), store(y, 2)],
      [store(y, 1), store(x, 2)],
    ],
    counts: { sc: 3, tso: 3, pso: 4 },
  },
  {
    name: 'IRIW',
    threads: [[store(x, 1)], [store(y, 1)], [load(x), load(y)], [load(y), load(x)]],
    counts: same(15),
  },
];

function loadScaled(program: string, n: number): Promise<Program> {
  const file = fileURLToPath(new URL(`../../../programs/scale/${program}.c`, import.meta.url));
  return loadFiles([file], { defines: [`N=${n}`] });
}

function run(program: Program, model: CheckedModel, mode: 'optimal' | 'source', spin: boolean): ExplorationResult {
  const machine = new Machine(program, model, {}, { spin });
  return explore(machine, new MachineDpor(machine, mode));
}

describe.each(CLASSICS)('$name', ({ threads, counts }) => {
  it.each(MODELS)('has its number of executions under %s', (model) => {
    const program = buildProgram(threads);
    const clean = { executions: counts[model], blocked: 0, bounds: [], errors: [] };
    expect(run(program, model, 'optimal', true)).toMatchObject({ ...clean, abandoned: 0 });
    expect(run(program, model, 'source', true)).toMatchObject(clean);
  });
});

describe.each(DEEP ? ROWS : EVERY_DAY)('optimal runs as many executions as there are traces: $program($n)', (row) => {
  const { program, n, counts, noSpin } = row;
  const models = MODELS.filter((model) => counts[model] <= LARGEST);
  it.each(models)('under %s', async (model) => {
    const expected = { executions: counts[model], blocked: 0, abandoned: 0, bounds: [], errors: [] };
    expect(run(await loadScaled(program, n), model, 'optimal', noSpin !== true)).toMatchObject(expected);
  });
});

describe.each(DEEP ? ROWS : SMALLER)('source completes one execution per trace: $program($n)', (row) => {
  const { program, n, counts, noSpin } = row;
  const models = MODELS.filter((model) => counts[model] <= LARGEST);
  it.each(models)('under %s', async (model) => {
    const expected = { executions: counts[model], blocked: 0, bounds: [], errors: [] };
    expect(run(await loadScaled(program, n), model, 'source', noSpin !== true)).toMatchObject(expected);
  });
});
