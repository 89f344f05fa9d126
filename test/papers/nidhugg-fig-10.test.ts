/**
 * [NIDHUGG] Fig. 10: the idiom of Peterson's mutual exclusion, and the trace of one of its executions.
 *
 *   p: A: x := 1   B: z := 1   C: $r := z   D: $s := y
 *   q: E: y := 1   F: z := 0   G: $r := z   H: $s := x
 *
 * The figure itself is not in our copy of the paper, but Sect. 3 describes its trace completely: C and G read what
 * their own thread wrote, C by forwarding, and F overwrites what C read; there is no edge between G and either update
 * of z, so nothing overwrites what G read, and B's update comes before F's; D reads the initial value of y, which E
 * overwrites; H reads x from A.
 */
import { describe, expect, it } from 'vitest';
import { parseSchedule } from '../../src/explore/schedule.ts';
import * as ev from '../../src/machine/events/event.ts';
import { Machine } from '../../src/machine/machine.ts';
import type { Model } from '../../src/models/index.ts';
import { isAcyclic } from '../../src/trace/cycle.ts';
import { ShashaSnirTrace } from '../../src/trace/shasha-snir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';
import { finalState } from '../support/run.ts';
import { buildProgram, load, type Sketch, store } from '../support/sketch.ts';

const [x, y, z] = [0, 1, 2];
const sketch: Sketch = [
  [store(x, 1), store(z, 1), load(z), load(y)],
  [store(y, 1), store(z, 0), load(z), load(x)],
];

function run(model: Model, schedule: string): Machine {
  const machine = new Machine(buildProgram(sketch), model);
  for (const step of parseSchedule(machine, schedule)) {
    machine.enabled();
    expect([...machine.steps.words.subarray(0, machine.steps.length)]).toContain(step);
    machine.step(step);
  }
  expect(machine.enabled()).toBe(0);
  expect(machine.outcome).toBe('complete');
  return machine;
}

/** A to D are the events of p, E to H those of q. */
function letter(machine: Machine, event: number): string {
  return 'ABCDEFGH'[4 * machine.events.get(event, ev.E_THREAD) + machine.events.get(event, ev.E_INDEX) - 1]!;
}

function forwarding(machine: Machine): string {
  let letters = '';
  for (let e = 0; e < machine.depth; e++) {
    if ((machine.events.get(e, ev.E_FLAGS) & ev.FORWARDED) !== 0) letters += letter(machine, e);
  }
  return letters;
}

function edges(machine: Machine): Record<string, string[]> {
  const trace = new ShashaSnirTrace(machine.events, machine.processes);
  const found: Record<string, string[]> = {
    'program order': trace.threads.map((events) => events.map((e) => letter(machine, e)).join('')),
  };
  trace.forEachEdge((from, to, relation) => {
    found[relation] ??= [];
    found[relation].push(letter(machine, from) + letter(machine, to));
  });
  for (const list of Object.values(found)) list.sort();
  return found;
}

describe('NIDHUGG Fig. 10', () => {
  // A B C D, E F G, A', H, B', E', F': the updates as late as the description above allows.
  const machine = run('tso', '0*4 1*3 0/ 1 0/ 1/*2');

  it('(c) is an execution with both loads of z forwarded', () => {
    expect(forwarding(machine)).toBe('CG');
    expect(finalState(machine, sketch)).toBe('0:r0=1,0:r1=0,1:r0=0,1:r1=1,x=1,y=1,z=0');
  });

  it('(d) is its Shasha–Snir trace', () => {
    expect(edges(machine)).toEqual({
      'program order': ['ABCD', 'EFGH'],
      'store order': ['BF'],
      source: ['AH', 'BC', 'FG'],
      // G read the last store to z, and H the last one to x: nothing overwrites those.
      conflict: ['CF', 'DE'],
    });
    const trace = new ShashaSnirTrace(machine.events, machine.processes);
    expect(isAcyclic(trace)).toBe(true);
  });

  it('is the same trace where G, or C too, reads memory instead', () => {
    const late = run('tso', '0*4 1*2 0/*2 1/*2 1*2');
    expect(forwarding(late)).toBe('C');
    expect(traceKey(late)).toBe(traceKey(machine));
    const never = run('tso', '0*2 0/*2 0*2 1*2 1/*2 1*2');
    expect(forwarding(never)).toBe('');
    expect(traceKey(never)).toBe(traceKey(machine));
  });

  it('is also a trace of SC, where p runs before q, being acyclic; and one of PSO', () => {
    expect(traceKey(run('sc', '0*4 1*4'))).toBe(traceKey(machine));
    expect(traceKey(run('pso', '0*4 1*3 0/x 1 0/z 1/z 1/y'))).toBe(traceKey(machine));
  });
});
