/**
 * [NIDHUGG] Table 1 on the authors' own files (github.com/nidhugg/benchmarks_tacas2015, folder `benchmarks`), as they
 * are: `npm run bench -- nidhugg --their FOLDER`. None of them is in this repository.
 *
 * As in their script `run`: each file with `-D ENABLE_TSO_FENCES`, `-D ENABLE_PSO_FENCES` or neither, optimised
 * (`-O2`), with loops cut after the number in its comment `BOUND n`, at most ten minutes per model. Every trace is
 * counted (`--count-orders`). `correct` means: no error up to that bound. A cell that did not finish is `t/o`.
 *
 * If the bound cuts every execution, so that nothing ran to its end, the program is also checked without it, and that
 * result counts if it is a proof (`LB` is then `n (none)`). The least bound that cuts nothing under SC is then searched
 * for.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stoppedFor } from '../src/explore/bound.ts';
import { loadCProgram } from '../src/frontend/llvm/c-program.ts';
import { HEADERS } from '../src/frontend/llvm/clang/library.ts';
import { CHECK } from '../src/options/check.ts';
import { defaultsOf } from '../src/options/option.ts';
import { CheckRun } from '../src/pipelines/check.ts';
import type { ModelResult } from '../src/pipelines/model-run.ts';
import type { Program } from '../src/program/ir.ts';
import { MODELS, ROWS, type TableRow } from './nidhugg-table.ts';
import { cpuSeconds } from './search.ts';
import type { Measurement, Suite } from './suite.ts';

/** Where the files are; `--their` sets it for the processes that measure. */
export const THEIR_FOLDER = 'FENCEPOST_THEIR_FOLDER';

/** Seconds per model. */
const TIMEOUT = 600;
const SLICE_STEPS = 100_000;

const DEFINES: Readonly<Record<string, readonly string[]>> = {
  '-': [],
  tso: ['ENABLE_TSO_FENCES'],
  pso: ['ENABLE_PSO_FENCES'],
};

const OF_PAPER: readonly TableRow[] = ROWS.filter(({ paper }) => paper !== '-');

export const nidhuggSet: Suite = {
  name: 'nidhugg-set',
  about: "NIDHUGG's Table 1 on its own files (nidhugg --their FOLDER); * where an error ended the search",
  cases: OF_PAPER.map(({ paper }) => paper),
  measure,
  inputs: (name) => {
    const defines = DEFINES[name.split(' ')[1]!]!;
    return MODELS.map((model) => ({ files: [pathOf(fileOf(name))], defines, model }));
  },
};

/** The paper's names, as files of the set. */
export function fileOf(paper: string): string {
  return paper.split(' ')[0]!.replace(/^fib_(?!bench)/, 'fib_bench_');
}

async function measure(name: string): Promise<Measurement> {
  const row = OF_PAPER.find(({ paper }) => paper === name)!;
  const path = pathOf(fileOf(name));
  const bound = /\/\* BOUND (\d+) \*\//.exec(readFileSync(path, 'utf8'))?.[1];
  const program = await load(path, DEFINES[name.split(' ')[1]!]!);
  const results: ModelResult[] = [];
  const times: number[] = [];
  for (const model of MODELS) {
    const started = cpuSeconds();
    results.push(run(program, model, bound === undefined ? undefined : Number(bound)));
    times.push(cpuSeconds() - started);
  }
  let isUnbounded = false;
  if (results.every(({ executions }) => executions === 0)) {
    const started = cpuSeconds();
    const first = run(program, MODELS[0], undefined);
    isUnbounded = first.verdict.kind === 'verified';
    if (isUnbounded) {
      results[0] = first;
      times[0] = cpuSeconds() - started;
      MODELS.slice(1).forEach((model, i) => {
        const again = cpuSeconds();
        results[i + 1] = run(program, model, undefined);
        times[i + 1] = cpuSeconds() - again;
      });
    }
  }
  const found = results.map(verdictOf);
  if (found.some((verdict, i) => verdict !== 't/o' && verdict !== row.verdicts[i])) {
    throw new Error(`${name}: ${row.verdicts.join()} expected, but ${found.join()}`);
  }
  const perModel = (text: (result: ModelResult, index: number) => string): string => results.map(text).join('  ');
  const star = (i: number): string => (found[i] === 'error' ? '*' : found[i] === 't/o' ? '+' : '');
  const isCount = (_: ModelResult, i: number): boolean => found[i] === 'correct';
  return {
    // Where an error or the time limit ends a search, the number depends on the search's order or on the machine.
    counts: {
      executions: results.filter(isCount).reduce((sum, { executions }) => sum + executions, 0),
      blocked: results.filter(isCount).reduce((sum, { blocked }) => sum + blocked, 0),
    },
    rates: {},
    texts: {
      LB: isUnbounded ? `${bound} (none)` : (bound ?? '-'),
      ...(isUnbounded ? { 'least LB': String(leastBound(program, Number(bound))) } : {}),
      'paper says': row.verdicts.join(' '),
      'we say': found.join(' '),
      'ours: executions': perModel(({ executions }, i) => `${executions}${star(i)}`),
      'ours: blocked': perModel(({ blocked }) => `${blocked}`),
      'ours: CPU s': times.map((time) => time.toFixed(2)).join('  '),
      'paper s': row.printed!.nidhugg,
    },
  };
}

function pathOf(file: string): string {
  const folder = process.env[THEIR_FOLDER];
  if (folder === undefined) throw new Error('where are the files? npm run bench -- nidhugg --their FOLDER');
  const path = [join(folder, file), join(folder, 'benchmarks', file)].find((at) => existsSync(at));
  if (path === undefined) {
    throw new Error(`${folder} has no ${file}; the set is the folder "benchmarks" of nidhugg/benchmarks_tacas2015`);
  }
  return path;
}

async function load(path: string, defines: readonly string[]): Promise<Program> {
  const { program } = await loadCProgram([path], {
    ...{ defines, undefines: [], includePaths: [], includes: [] },
    ...{ optimise: '2', cache: true, headers: HEADERS, entry: 'main', arguments: [] },
  });
  return program;
}

function run(program: Program, model: (typeof MODELS)[number], unroll: number | undefined): ModelResult {
  const check = new CheckRun(program, {
    ...defaultsOf(CHECK),
    ...(unroll === undefined ? {} : { unroll }),
    models: [model],
    monitors: false,
    countOrders: true,
  });
  const end = cpuSeconds() + TIMEOUT;
  while (!check.advance(SLICE_STEPS)) if (cpuSeconds() > end) check.stop(stoppedFor('t/o'));
  return check.results[0]!;
}

/** The least bound on loops that cuts no execution; `bound` is known to cut some. */
function leastBound(program: Program, bound: number): number {
  const cuts = (n: number): boolean => run(program, MODELS[0], n).boundedBy.length > 0;
  let [low, high] = [bound, 2 * bound];
  while (cuts(high)) [low, high] = [high, 2 * high];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (cuts(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function verdictOf({ verdict, boundedBy, bounds }: ModelResult): string {
  if (verdict.kind === 'violation') return 'error';
  const others = boundedBy.filter(({ kind }) => kind !== 'unroll' && kind !== 'vacuous');
  if (others.length === 0) return 'correct';
  if (others.every(({ kind }) => kind === 'stopped')) return 't/o';
  return bounds.join('; ');
}
