/** A search can be stopped between any two executions, saved, and resumed on another machine. */
import { describe, expect, it } from 'vitest';
import { MachineDpor } from '../../../src/explore/dpor/machine/machine-dpor.ts';
import type { SearchState } from '../../../src/explore/dpor/search-state.ts';
import { explore } from '../../../src/explore/explore.ts';
import { Machine } from '../../../src/machine/machine.ts';
import type { Model } from '../../../src/models/index.ts';
import type { Program } from '../../../src/program/ir.ts';
import { traceKey } from '../../../src/trace/trace-key.ts';
import { everything, forAllSketches } from '../../support/for-all.ts';
import { DPOR_MODELS, visit } from '../../support/searches.ts';
import { buildProgram, load, store } from '../../support/sketch.ts';

/** The traces visited when the search moves to a new machine after every `piece` executions. */
function inPieces(program: Program, model: Model, strategy: 'optimal' | 'source', piece: number): string[] {
  const traces: string[] = [];
  let saved: string | undefined;
  for (let isDone = false; !isDone; ) {
    const machine = new Machine(program, model);
    const dpor =
      saved === undefined
        ? new MachineDpor(machine, strategy)
        : MachineDpor.restore(machine, JSON.parse(saved) as SearchState);
    const { bounds } = explore(machine, dpor, {
      maxExecutions: piece,
      onExecution: (_, outcome) => {
        traces.push(`${outcome} ${traceKey(machine)}`);
      },
    });
    isDone = bounds.length === 0;
    if (!isDone) saved = JSON.stringify(dpor.save());
  }
  return traces;
}

describe('a saved search', () => {
  it.each(['optimal', 'source'] as const)(
    'visits in pieces what it visits at once, in the same order: %s',
    (strategy) => {
      forAllSketches({ ...everything, threads: 3, totalOps: 7 }, 70, (sketch, seed) => {
        const program = buildProgram(sketch);
        for (const model of DPOR_MODELS) {
          expect(inPieces(program, model, strategy, 1 + (seed % 5))).toEqual(visit(program, model, strategy).traces);
        }
      });
    },
  );

  it('is human-readable', () => {
    const program = buildProgram([
      [store(0, 1), load(1)],
      [store(1, 1), load(0)],
    ]);
    const machine = new Machine(program, 'tso');
    const dpor = new MachineDpor(machine, 'optimal');
    explore(machine, dpor, { maxExecutions: 1 });
    expect(dpor.save()).toMatchInlineSnapshot(`
      {
        "levels": [
          {
            "branches": [
              {
                "action": "0 1 1064 4 -1 -1",
                "children": [
                  {
                    "action": "1/ 2 1064 4 -1 -1",
                    "children": [
                      {
                        "action": "1 1 1040 4 -1 -1",
                        "children": [],
                      },
                    ],
                  },
                ],
              },
            ],
            "finished": [],
            "isFree": true,
            "step": "0/ 2 1040 4 -1 -1",
          },
          {
            "branches": [
              {
                "action": "1 1 1040 4 -1 -1",
                "children": [
                  {
                    "action": "1/ 2 1064 4 -1 -1",
                    "children": [],
                  },
                ],
              },
            ],
            "finished": [
              "0 1 1064 4 -1 -1",
            ],
          },
        ],
        "strategy": "optimal",
      }
    `);
  });

  it('says when nothing is left', () => {
    const machine = new Machine(buildProgram([[store(0, 1)]]), 'sc');
    const dpor = new MachineDpor(machine, 'optimal');
    explore(machine, dpor);
    expect(dpor.save()).toEqual({ strategy: 'optimal', levels: [] });
  });
});
