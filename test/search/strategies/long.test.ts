/** Very long executions give a verdict or a named bound, never a failure of the tool. */
import { describe, expect, it } from 'vitest';
import { Exhaustive } from '../../../src/explore/exhaustive.ts';
import { Exploration, explore } from '../../../src/explore/explore.ts';
import { countSteps } from '../../../src/explore/schedule.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { reportCheck } from '../../../src/report/story/check-report.ts';
import { Executions } from '../../../src/report/story/executions.ts';
import { printFailure } from '../../../src/report/writers/check.ts';
import { allocateWords, MemoryLimit } from '../../../src/util/memory-limit.ts';
import { check, compileC } from '../../support/c.ts';

const counting = (rounds: number): string => `#include <assert.h>
  int x;
  int main(void) { for (int i = 0; i < ${rounds}; i++) x = i; assert(x == 0); return 0; }`;

describe('a search that is late', () => {
  it('stops within a long execution, and goes on from there', async () => {
    const machine = new Machine(await compileC(counting(3000)), 'sc');
    let isLate = true;
    const exploration = new Exploration(machine, new Exhaustive(), { isLate: () => isLate });
    // The first call only begins the execution.
    exploration.advance(1_000_000);
    exploration.advance(1_000_000);
    expect([exploration.isDone, machine.depth < 1000]).toEqual([false, true]);
    isLate = false;
    expect(exploration.advance(1_000_000)).toBe(true);
    expect(exploration.result.errors).toHaveLength(1);
  });
});

describe('memory', () => {
  it('is not allocated where there is none', () => {
    expect(() => allocateWords(2 ** 40)).toThrow(MemoryLimit);
    expect(allocateWords(3)).toEqual(new Int32Array(3));
  });

  it('ends a search whose lists grow beyond it, and the search says so', async () => {
    const machine = new Machine(await compileC(counting(3)), 'sc');
    const strategy = Object.assign(new Exhaustive(), {
      observe() {
        if (machine.depth === 2) throw new MemoryLimit();
      },
    });
    const exploration = new Exploration(machine, strategy);
    expect(exploration.advance(100)).toBe(true);
    expect(exploration.result).toMatchObject({ errors: [], bounds: ['memory: an execution of 2 steps'] });
  });

  it('cuts executions where the search knows that memory will not suffice', async () => {
    const machine = new Machine(await compileC(counting(3)), 'sc');
    const cut = (memoryDepth: number) => explore(machine, new Exhaustive(), { maxDepth: 3, memoryDepth }).bounds;
    expect(cut(2)).toEqual(['steps per execution: 2, out of memory']);
    machine.rollback(0);
    expect(cut(5)).toEqual(['steps per execution: 3']);
  });

  it.each(['optimal', 'bounded'] as const)('%s: 600,000 iterations are too many', async (strategy) => {
    const { verdict } = check(await compileC(counting(600_000)), 'sc', { strategy, maxSteps: 5_000_000 });
    expect(verdict).toEqual({ kind: 'inconclusive', because: ['steps per execution: 65536, out of memory'] });
  });
});

describe('a violation after very many steps', () => {
  it('is reported without the steps', async () => {
    const program = await compileC(counting(60_000));
    const result = check(program, 'sc', { strategy: 'random', maxExecutions: 1, maxSteps: 5_000_000 });
    const [found] = result.errors;
    expect(countSteps(found!.schedule)).toBe(60_001);
    const report = reportCheck('test.c', new Executions(program), result);
    expect(report).toMatchObject({ verdict: 'violation', error: { schedule: found!.schedule } });
    expect(report).not.toHaveProperty('trace');
    const text = printFailure(report.error!, undefined).join('\n');
    expect(text).toContain('The execution has 60001 steps, too many to show (more than 50000).');
    expect(text).toContain('runs it): 0*60001');
  });

  it.each([
    ['', 0],
    ['0', 1],
    ['0 0.1*3 0.1/x 0:2', 6],
    ['0:2*4 0.1/x*2', 6],
  ])('"%s" has %i steps', (schedule, steps) => expect(countSteps(schedule)).toBe(steps));
});
