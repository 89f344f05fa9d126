/** Fixes of generated programs are the cheapest possible: compared with brute force over all sets of changes. */
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { Exploration } from '../../../src/explore/explore.ts';
import type { Strategy } from '../../../src/explore/strategy.ts';
import { applyChanges } from '../../../src/fix/apply.ts';
import { type Change, DEFAULT_COSTS } from '../../../src/fix/candidates.ts';
import { type Checker, Synthesis, type SynthesisResult } from '../../../src/fix/synthesis.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { type Model, modelsWith, type StoreBufferModel } from '../../../src/models/index.ts';
import type { CheckOptions } from '../../../src/options/check.ts';
import { checkerFor } from '../../../src/pipelines/fix/goals.ts';
import type { Program } from '../../../src/program/ir.ts';
import { isAcyclic } from '../../../src/trace/cycle.ts';
import { ShashaSnirTrace } from '../../../src/trace/shasha-snir.ts';
import { candidatesOf, subsetsUpTo } from '../../support/fixes.ts';
import { forAllSketches } from '../../support/for-all.ts';
import type { SketchOptions } from '../../support/generate.ts';
import { buildProgram, locationsOf, printState, registersOf, type Sketch } from '../../support/sketch.ts';
import { floor } from '../../support/tier.ts';

const OPTIONS: CheckOptions = {
  models: [],
  strategy: 'optimal',
  preemptions: 0,
  seed: 0,
  maxExecutions: undefined,
  maxSteps: undefined,
  maxStates: 0,
  keepGoing: false,
  races: false,
};

const MODELS: readonly StoreBufferModel[] = modelsWith('monitors');
const LIMIT = 1000;

type Judge = (machine: Machine) => boolean;

const isCyclic: Judge = (machine) => !isAcyclic(new ShashaSnirTrace(machine.events, machine.processes));

function search(program: Program, model: Model, isBad: Judge, strategy: (machine: Machine) => Strategy): Exploration {
  const machine = new Machine(program, model, { threads: 4 });
  const judge = (m: Machine) => (isBad(m) ? ({ kind: 'assertion', message: '' } as const) : undefined);
  return new Exploration(machine, strategy(machine), { judge });
}

/** Decided by the memoising enumerator, which shares nothing with DPOR and the monitors. */
function isBroken(program: Program, model: Model, isBad: Judge): boolean {
  const exploration = search(program, model, isBad, (machine) => new Enumerator(machine));
  exploration.advance(Number.POSITIVE_INFINITY);
  return exploration.result.errors.length > 0;
}

function checkerOf(isBad: Judge): Checker {
  return (program, model) => {
    const exploration = search(program, model, isBad, (machine) => new MachineDpor(machine, 'optimal'));
    return {
      advance: (steps) => exploration.advance(steps),
      stop: (why) => exploration.stop(why),
      counts: { executions: 0 },
      get outcome() {
        const { errors, boundedBy: bounds } = exploration.result;
        return errors.length === 0 ? { bounds } : { bounds, ...errors[0]! };
      },
    };
  };
}

function finalState(sketch: Sketch, machine: Machine): string {
  const registers = registersOf(sketch).map((count, thread) =>
    Array.from({ length: count }, (_, k) => machine.register(thread, k)[0]),
  );
  return printState(
    registers,
    locationsOf(sketch).map((_, location) => machine.global(location, 0, 4)[0]),
  );
}

function statesOf(sketch: Sketch, program: Program, model: Model): Set<string> {
  const states = new Set<string>();
  const note: Judge = (machine) => {
    states.add(finalState(sketch, machine));
    return false;
  };
  isBroken(program, model, note);
  return states;
}

const name = (changes: readonly Change[]): string =>
  changes
    .map(({ kind, place }) => `${place} ${kind}`)
    .sort()
    .join(', ');

/** Compares with all sets that cost no more; returns the number of changes. */
function expectCheapest(program: Program, models: readonly StoreBufferModel[], checker: Checker, isBad: Judge): number {
  const candidates = candidatesOf(program, DEFAULT_COSTS);
  const synthesis = new Synthesis(candidates, models, checker, LIMIT);
  while (!synthesis.advance(Number.POSITIVE_INFINITY));
  const result: SynthesisResult = synthesis.result;
  const holds = (changes: readonly Change[]): boolean => {
    const changed = applyChanges(candidates, changes);
    return models.every((model) => !isBroken(changed, model, isBad));
  };
  if (result.kind !== 'found') {
    expect(result.kind).toBe('impossible');
    expect(holds(candidates.changes.filter(({ kind }) => kind === 'full-fence' || kind === 'seq_cst'))).toBe(false);
    return 0;
  }
  const expected: string[] = [];
  for (const changes of subsetsUpTo(candidates.changes, result.cost)) {
    if (!holds(changes)) continue;
    expect(changes.reduce((sum, { cost }) => sum + cost, 0)).toBe(result.cost);
    expected.push(name(changes));
  }
  expect(result.solutions.map(name).sort()).toEqual(expected.sort());
  return result.solutions[0]!.length;
}

describe('the cheapest fix, and all of that cost', () => {
  // Mostly plain accesses: with many fences and orders, few programs need a fix.
  const shapes: readonly SketchOptions[] = [
    { threads: 2, totalOps: 7, opsPerThread: 4 },
    { threads: 2, totalOps: 6, opsPerThread: 4, rmw: true, cas: true, orders: true, branches: true },
    { threads: 3, totalOps: 7, opsPerThread: 3, locations: 3 },
  ];

  it.each([[['tso']], [['pso']], [['tso', 'pso']]] as StoreBufferModel[][][])(
    'is found for robustness under %s',
    (models) => {
      let mended = 0;
      let taken = 0;
      for (const shape of shapes) {
        taken += forAllSketches(shape, 60 / models.length, (sketch) => {
          const program = buildProgram(sketch);
          if (expectCheapest(program, models, checkerFor('robust', OPTIONS), isCyclic) > 0) mended++;
        });
      }
      expect(mended).toBeGreaterThan(taken / 60);
    },
  );

  it.each(MODELS)('is found against a final state that only %s has', (model) => {
    let mended = 0;
    let taken = 0;
    for (const shape of shapes) {
      taken += forAllSketches(shape, 80, (sketch, seed) => {
        const program = buildProgram(sketch);
        const sc = statesOf(sketch, program, 'sc');
        const extra = [...statesOf(sketch, program, model)].filter((state) => !sc.has(state)).sort();
        if (extra.length === 0) return;
        const bad = extra[seed % extra.length];
        const isBad: Judge = (machine) => finalState(sketch, machine) === bad;
        if (expectCheapest(program, [model], checkerOf(isBad), isBad) > 0) mended++;
      });
    }
    expect(mended).toBeGreaterThan(floor(taken / 360));
  });
});
