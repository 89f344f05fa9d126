/**
 * What depends on the interleaving, and what only on the trace. The causal monitors give the same answer on all
 * interleavings of a trace; [MON]'s do not, so they miss violations when they see only one execution per trace.
 */
import { describe, expect, it } from 'vitest';
import { Exhaustive } from '../../src/explore/exhaustive.ts';
import { explore } from '../../src/explore/explore.ts';
import * as ev from '../../src/machine/events/event.ts';
import { type MonitorName, Monitors } from '../../src/monitor/monitors.ts';
import { int, ProgramBuilder } from '../../src/program/builder.ts';
import type { Program } from '../../src/program/ir.ts';
import { traceKey } from '../../src/trace/trace-key.ts';
import { everything, forAllSketches } from '../support/for-all.ts';
import { ALL_MONITORS, alarms, machineFor, robustness } from '../support/monitoring.ts';
import { buildProgram, load, type Sketch, store } from '../support/sketch.ts';
import { floor } from '../support/tier.ts';

/** By trace, the different answers of a monitor on its interleavings: violations as pairs of event names. */
function answersByTrace(program: Program, names: readonly MonitorName[]): Map<string, Set<string>> {
  const machine = machineFor(program, 'sc');
  const monitors = new Monitors(machine.events, names);
  const answers = new Map<string, Set<string>>();
  explore(machine, new Exhaustive(), {
    followers: [monitors],
    onExecution: () => {
      const name = (event: number): string =>
        `${machine.events.get(event, ev.E_THREAD)}#${machine.events.get(event, ev.E_INDEX)}`;
      const found = monitors.all.map(({ violations: { pairs } }) => {
        const violations: string[] = [];
        for (let i = 0; i < pairs.length; i += 2) violations.push(`${name(pairs.get(i))}<${name(pairs.get(i + 1))}`);
        return violations.sort().join(' ');
      });
      const key = traceKey(machine);
      if (!answers.has(key)) answers.set(key, new Set());
      answers.get(key)!.add(found.join(' / '));
    },
  });
  return answers;
}

describe('the causal monitors', () => {
  it('report the same violations on all interleavings of a trace', () => {
    let violations = 0;
    forAllSketches({ ...everything, threads: 3, totalOps: 6 }, 400, (sketch) => {
      for (const [, answers] of answersByTrace(buildProgram(sketch), ['causal-tso', 'causal-pso'])) {
        expect([...answers]).toHaveLength(1);
        if (!answers.has(' / ')) violations++;
      }
    });
    expect(violations).toBeGreaterThan(floor(10));
  });
});

describe('the published monitors', () => {
  const [x, y] = [0, 1];
  /** SB, and a third thread that reads x: if it runs before P1's load, it has seen x in memory. */
  const watched: Sketch = [[store(x, 1), load(y)], [store(y, 1), load(x)], [load(x)]];

  it('depend on the interleaving', () => {
    const several = (names: MonitorName[]): boolean =>
      [...answersByTrace(buildProgram(watched), names).values()].some((answers) => answers.size > 1);
    expect(several(['tso'])).toBe(true);
    expect(several(['pso'])).toBe(true);
    expect(several(['causal-tso', 'causal-pso'])).toBe(false);
  });

  /**
   * SB with one fence, and a thread that waits for x = 1. It cannot run before that store, so it has read it in every
   * trace; and it runs as soon as it can, which is before P2's load of x.
   */
  it('miss a violation on one execution per trace', () => {
    const program = waiting();
    expect(robustness(program)).toEqual({ tso: false, pso: false });
    expect(alarms(program, 'exhaustive')).toEqual(new Set(ALL_MONITORS));
    expect(alarms(program, 'optimal')).toEqual(new Set(['sober', 'sober-fixed', 'causal-tso', 'causal-pso']));
  });
});

function waiting(): Program {
  const program = new ProgramBuilder('waiting');
  const [x, y] = [program.global('x', 'i32'), program.global('y', 'i32')];
  const waiter = program.function('P0');
  waiter.add({
    op: 'await',
    dest: waiter.register('r0', 'i32'),
    success: waiter.register('r1', 'i1'),
    address: x,
    predicate: 'eq',
    bound: int(1, 'i32'),
    operator: 'none',
    value: int(0, 'i32'),
    order: 'relaxed',
    blocks: true,
  });
  waiter.return();
  program.root('P0', waiter);
  for (const [name, own, other, order] of [
    ['P1', x, y, 'relaxed'],
    ['P2', y, x, 'seq_cst'],
  ] as const) {
    const func = program.function(name);
    func.store(own, int(1, 'i32'), order);
    func.load(func.register('r0', 'i32'), other);
    func.return();
    program.root(name, func);
  }
  return program.build();
}
