/**
 * [SOBER] Fig. 1 (b): "an execution that is possible on TSO but not on SC". Processor 1: `X = 1; r1 = Y`, processor 2:
 * `Y = 1; r2 = X`, eventually `r1 = 0, r2 = 0`. (The text is in the technical report.)
 */
import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../src/explore/schedule.ts';
import { Machine } from '../../src/machine/machine.ts';
import { findCycle } from '../../src/trace/cycle.ts';
import { ShashaSnirTrace } from '../../src/trace/shasha-snir.ts';
import { finalState, runSketch } from '../support/run.ts';
import { buildProgram, load, type Sketch, store } from '../support/sketch.ts';

const [X, Y] = [0, 1];
const sketch: Sketch = [
  [store(X, 1), load(Y)],
  [store(Y, 1), load(X)],
];
const bothZero = '0:r0=0,1:r0=0,x=1,y=1';

describe('SOBER Fig. 1 (b)', () => {
  it('is not possible on SC: the last of the two loads sees a store', () => {
    const { states } = runSketch(sketch, 'sc');
    expect([...states].toSorted()).toEqual(['0:r0=0,1:r0=1,x=1,y=1', '0:r0=1,1:r0=0,x=1,y=1', '0:r0=1,1:r0=1,x=1,y=1']);
  });

  it('is possible on TSO, besides all that SC allows', () => {
    const { states } = runSketch(sketch, 'tso');
    expect(states).toEqual(new Set([...runSketch(sketch, 'sc').states, bothZero]));
  });

  it('is the execution in which both stores are still in their buffers when the loads run', () => {
    const machine = new Machine(buildProgram(sketch), 'tso');
    for (const step of parseSchedule(machine, '0*2 1*2 0/ 1/')) machine.step(step);
    expect(machine.enabled()).toBe(0);
    expect(finalState(machine, sketch)).toBe(bothZero);
    const cycle = findCycle(new ShashaSnirTrace(machine.events, machine.processes))!;
    expect(cycle.map((edge) => edge.relation)).toEqual(['program order', 'conflict', 'program order', 'conflict']);
  });
});
