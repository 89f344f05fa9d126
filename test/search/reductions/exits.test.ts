/**
 * Exits, with and without the shortcut of Lemma 9 (decision 16). Without it, an exit conflicts with every access of
 * other threads: the traces that end early are explored, too.
 */
import { describe, expect, it } from 'vitest';
import type { DporMode } from '../../../src/explore/dpor/search-state.ts';
import { ALL_SHORTCUTS } from '../../../src/explore/dpor/shortcuts.ts';
import type { Model } from '../../../src/models/index.ts';
import { int } from '../../../src/program/builder.ts';
import type { Instruction, Program } from '../../../src/program/ir.ts';
import { everything, forAllSketches, SKIPPED } from '../../support/for-all.ts';
import { DPOR_MODELS, type Visited, visit } from '../../support/searches.ts';
import { buildProgram, type Sketch } from '../../support/sketch.ts';

const EARLY = { ...ALL_SHORTCUTS, lateExits: false };
const EXIT: Instruction = { op: 'exit', status: int(0) };

/** The program of the sketch, in which some threads exit, at a place that the seed chooses. */
function withExits(sketch: Sketch, seed: number): Program {
  const program = buildProgram(sketch);
  const functions = program.functions.map((func, thread) => {
    const blocks = [...func.blocks];
    if (thread > 0 && ((seed >> thread) & 1) === 0) return func;
    const at = (seed >> 8) % blocks.length;
    const body = [...blocks[at]!.body];
    body.splice((seed >> 4) % body.length, 0, EXIT);
    blocks[at] = { ...blocks[at]!, body };
    return { ...func, blocks };
  });
  return { ...program, functions };
}

/** False if the program was too large for the enumerator. */
function compare(
  program: Program,
  model: Model,
  check: (early: Visited, all: Visited) => void,
  mode: DporMode,
): boolean {
  const all = visit(program, model, 'enumerate');
  if (all.bounds.length > 0) return false;
  check(visit(program, model, mode, Number.POSITIVE_INFINITY, EARLY), all);
  return true;
}

describe.each(['optimal', 'source'] as const)('%s', (mode) => {
  it('has the traces of the enumerator without the shortcut, where every operation is visible', () => {
    // Under SC, an exit may come before or after an invisible fence, which is not explored.
    const options = { ...everything, fences: false, orders: false, threads: 3, totalOps: 6 };
    const check = ({ traces, distinct, asleep }: Visited, all: Visited): void => {
      expect([...distinct].sort()).toEqual([...all.distinct].sort());
      if (mode === 'optimal') expect([traces.length, asleep]).toEqual([distinct.size, 0]);
    };
    forAllSketches(options, 80, (sketch, seed) =>
      compare(withExits(sketch, seed), 'sc', check, mode) ? undefined : SKIPPED,
    );
  });

  it.each(DPOR_MODELS)('has some of the traces of the enumerator, and all that end late, under %s', (model) => {
    forAllSketches({ ...everything, threads: 3, totalOps: 5 }, 40, (sketch, seed) => {
      const program = withExits(sketch, seed);
      const check = ({ distinct }: Visited, all: Visited): void => {
        for (const trace of distinct) expect(all.distinct).toContain(trace);
        for (const trace of visit(program, model, mode).distinct) expect(distinct).toContain(trace);
      };
      return compare(program, model, check, mode) ? undefined : SKIPPED;
    });
  });
});
