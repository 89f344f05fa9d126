/**
 * A hunt past its deadline stops in the middle of slow work: prediction, and the search for a cycle in a long trace.
 */
import { expect, it } from 'vitest';
import { explore } from '../../../src/explore/explore.ts';
import { Random } from '../../../src/explore/random.ts';
import { findInTrace } from '../../../src/explore/relaxer/confirm.ts';
import { Predictor } from '../../../src/explore/relaxer/predict.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { ShashaSnirTrace } from '../../../src/trace/shasha-snir.ts';
import { buildProgram, load, type Sketch, store } from '../../support/sketch.ts';

/** Two threads that store to one location and load the other, again and again. */
const SKETCH: Sketch = [0, 1].map((own) =>
  Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? store(own, i) : load(1 - own))),
);

function run(): Machine {
  const machine = new Machine(buildProgram(SKETCH), 'sc');
  explore(machine, new Random(1, 1));
  return machine;
}

it('stops predicting', () => {
  const machine = run();
  const predict = (isLate: () => boolean): number => {
    const predictor = new Predictor({ cycleLength: 4, maxCycles: 1_000_000, isLate });
    predictor.addExecution(machine.events);
    return predictor.cycles.length;
  };
  const all = predict(() => false);
  expect(predict(() => true)).toBeLessThan(all);
});

it('looks for a cycle from at most one start', () => {
  const machine = run();
  const trace = new ShashaSnirTrace(machine.events, machine.processes);
  const predictor = new Predictor({ cycleLength: 4, maxCycles: 1 });
  predictor.addExecution(machine.events);
  let asked = 0;
  expect(findInTrace(trace, predictor.cycles[0]!.labels, () => ++asked > 0)).toBeUndefined();
  expect(asked).toBe(1);
});
