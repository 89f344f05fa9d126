/** Retrace by several threads, and resumed from a file: the results are those of one search. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Exploration, explore } from '../../../src/explore/explore.ts';
import { Retrace } from '../../../src/explore/retrace/retrace.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Model } from '../../../src/models/index.ts';
import { CHECK, type CheckChoices } from '../../../src/options/check.ts';
import { defaultsOf } from '../../../src/options/option.ts';
import { CheckRun } from '../../../src/pipelines/check.ts';
import type { Helpers } from '../../../src/pipelines/helpers.ts';
import type { ModelResult } from '../../../src/pipelines/model-run.ts';
import type { Together } from '../../../src/pipelines/together.ts';
import type { Program } from '../../../src/program/ir.ts';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { helpersOf } from '../../../src/workers/team.ts';
import { compileC } from '../../support/c.ts';
import { FAILING_LATE } from '../../support/failing-late.ts';
import { everything, forAllSketches } from '../../support/for-all.ts';
import { DPOR_MODELS } from '../../support/searches.ts';
import { buildProgram } from '../../support/sketch.ts';

const scale = (name: string, n: number): string =>
  `#define N ${n}\n${readFileSync(new URL(`../../../programs/scale/${name}.c`, import.meta.url), 'utf8')}`;

async function run(program: Program, model: Model, helpers: Helpers | undefined): Promise<CheckRun> {
  const options: CheckChoices = { ...defaultsOf<CheckChoices>(CHECK), strategy: 'retrace', models: [model] };
  const check = new CheckRun(program, options, helpers);
  while (!check.advance(100)) await check.wait();
  return check;
}

const without = ({ seconds: _, ...rest }: ModelResult): Omit<ModelResult, 'seconds'> => rest;

it.each<[string, string, Model, 'verified' | 'violation']>([
  ['readers', scale('readers', 9), 'sc', 'verified'],
  ['a ring of store buffers', scale('sb-ring', 6), 'tso', 'verified'],
  ['a ring of messages', scale('mp-ring', 5), 'pso', 'verified'],
  ['a mutex', scale('mutex', 5), 'pso', 'verified'],
  ['counters', scale('fib', 3), 'tso', 'verified'],
  ['an error', FAILING_LATE, 'sc', 'violation'],
])('several threads have the result of one: %s', async (_, source, model, verdict) => {
  const program = await compileC(source);
  const alone = await run(program, model, undefined);
  const all: Together[] = [];
  const helpers = helpersOf(2, 0)!;
  const together = await run(program, model, {
    ...helpers,
    begin: (work, left) => {
      const team = helpers.begin(work, left);
      all.push(team);
      return team;
    },
  });
  expect(together.results.map(without)).toEqual(alone.results.map(without));
  expect(together.results[0]!.verdict.kind).toBe(verdict);
  // What threads found counts unless one of them met an error: the first one is that of a search alone.
  expect(all.map(({ state }) => state)).toEqual(['done']);
});

/** The traces visited when the search moves to a new machine after every `piece` executions. */
function inPieces(program: Program, model: Model, piece: number): string[] {
  const traces: string[] = [];
  for (let saved: string | undefined = '[{"finished":[],"branches":[]}]'; saved !== undefined; ) {
    const machine = new Machine(program, model);
    const search = new Retrace(machine);
    search.resume(JSON.parse(saved));
    const exploration = new Exploration(machine, search, {
      onExecution: (_, outcome) => {
        traces.push(`${outcome} ${traceKey(machine)}`);
      },
    });
    saved = exploration.advanceExecutions(piece) ? undefined : JSON.stringify(search.save().levels);
  }
  return traces;
}

describe('a saved search', () => {
  it('visits in pieces what it visits at once, in the same order', () => {
    forAllSketches({ ...everything, threads: 3, totalOps: 7 }, 70, (sketch, seed) => {
      const program = buildProgram(sketch);
      for (const model of DPOR_MODELS) {
        const machine = new Machine(program, model);
        const traces: string[] = [];
        explore(machine, new Retrace(machine), {
          onExecution: (_, outcome) => {
            traces.push(`${outcome} ${traceKey(machine)}`);
          },
        });
        expect(inPieces(program, model, 1 + (seed % 5))).toEqual(traces);
      }
    });
  });

  it('says when nothing is left', () => {
    const machine = new Machine(buildProgram([]), 'sc');
    const search = new Retrace(machine);
    explore(machine, search);
    expect(search.save()).toEqual({ levels: [] });
    search.resume([]);
    expect(search.beginExecution()).toBe(-1);
  });
});
