/**
 * [NIDHUGG] Fig. 14: the mp idiom, p: `x := 1; y := 1`, q: `$r := y; $s := x`. "Possible in the final configuration
 * under PSO: $r = 1, $s = 0", and impossible under SC and TSO (Sect. 5.1).
 */
import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../src/explore/schedule.ts';
import { eventName } from '../../src/machine/describe/names.ts';
import { Machine } from '../../src/machine/machine.ts';
import { findCycle, isAcyclic } from '../../src/trace/cycle.ts';
import { ShashaSnirTrace } from '../../src/trace/shasha-snir.ts';
import { finalState, runSketch } from '../support/run.ts';
import { buildProgram, load, type Sketch, store } from '../support/sketch.ts';

const [x, y] = [0, 1];
const sketch: Sketch = [
  [store(x, 1), store(y, 1)],
  [load(y), load(x)],
];
const weak = '1:r0=1,1:r1=0,x=1,y=1';

describe('NIDHUGG Fig. 14', () => {
  it.each([
    ['sc', false],
    ['tso', false],
    ['pso', true],
  ] as const)('(a) under %s: $r = 1, $s = 0 is possible: %s', (model, possible) => {
    expect(runSketch(sketch, model).states.has(weak)).toBe(possible);
  });

  it('(b) is an execution in which the stores of p reach memory in reversed order; its trace is cyclic', () => {
    const machine = new Machine(buildProgram(sketch), 'pso');
    for (const step of parseSchedule(machine, '0*2 0/y 1*2 0/x')) machine.step(step);
    expect(machine.enabled()).toBe(0);
    expect(finalState(machine, sketch)).toBe(weak);

    const trace = new ShashaSnirTrace(machine.events, machine.processes);
    expect(isAcyclic(trace)).toBe(false);
    // Four events, one edge from each to the next: there is no shorter cycle and no other one.
    const cycle = findCycle(trace)!.map(
      ({ from, to, relation }) => `${eventName(machine, from)} ${relation} ${eventName(machine, to)}`,
    );
    expect(cycle).toEqual(['0#1 program order 0#2', '0#2 source 1#1', '1#1 program order 1#2', '1#2 conflict 0#1']);
  });
});
