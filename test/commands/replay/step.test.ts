/** Walking through an execution: typed lines and their output. */
import { describe, expect, it } from 'vitest';
import { Stepper } from '../../../src/cli/shared/step.ts';
import { Machine } from '../../../src/machine/machine.ts';
import { runsAlike, traceExecution } from '../../../src/report/story/execution.ts';
import { printable } from '../../../src/report/text.ts';
import { checkFile, sourceOf } from '../../support/reports.ts';

async function stepper(): Promise<Stepper> {
  const { program, results } = await checkFile('examples/store-buffering.c', ['tso']);
  const machine = new Machine(program, 'tso');
  return new Stepper(machine, traceExecution(machine, results[0]!.errors[0]!.schedule, sourceOf));
}

describe('a stepper', () => {
  it('goes forward, back and to an event, and stops at both ends', async () => {
    const steps = await stepper();
    expect(steps.greeting).toEqual(['16 events; h for help', 'at the start']);
    expect(steps.execute('n')[0]).toMatch(/^1 {2}thread 0 /);
    expect(steps.execute('')[0]).toMatch(/^2 {2}thread 0 /);
    expect(steps.execute('n 3')[0]).toMatch(/^5 {2}thread 0\.2 .*:34 .*flag\[1\] = 1 goes into the buffer$/);
    expect(steps.execute('b 2')[0]).toMatch(/^3 {2}thread 0\.1 .*:26 .*&flag\[0\], 1.*⇒ flag\[0\] = 1 goes into/);
    expect(steps.execute('b 99')).toEqual(['at the start']);
    expect(steps.execute('g 7')[0]).toContain('reads flag[0]: 0 (stale: flag[0] = 1 is in the buffer of thread 0.1)');
    const end = steps.execute('g 99');
    expect(end[0]).toMatch(/^16 /);
    expect(end[1]).toBe('    thread 0: the assertion fails: `saw_other[0] || saw_other[1]`');
    expect(steps.execute('e')).toEqual(end);
    expect(steps.execute('s')).toEqual(['at the start']);
  });

  it('shows buffers and memory at the event, however it got there', async () => {
    const steps = await stepper();
    expect(steps.execute('w')).toEqual(['no waiting stores']);
    steps.execute('g 8');
    const waiting = ['thread 0.1: flag[0] = 1 (memory holds 0)', 'thread 0.2: saw_other[1] = 0 (memory holds 0)'];
    expect(steps.execute('w')).toEqual(waiting);
    expect(steps.execute('m flag')).toEqual(['flag[0]  = 0', 'flag[1]  = 1']);
    steps.execute('e');
    expect(steps.execute('m flag')).toEqual(['flag[0]  = 1', 'flag[1]  = 1']);
    expect(steps.execute('w')).toEqual(['no waiting stores']);
    steps.execute('g 8');
    expect(steps.execute('w')).toEqual(waiting);
    expect(steps.execute('m')).toHaveLength(4);
    expect(steps.execute('m nowhere')[0]).toContain('no location of this execution matches "nowhere"');
  });

  it('shows the calls with their local variables, prints one, and goes to a line and back', async () => {
    const { program, asWritten, results } = await checkFile('test/golden/dekker.c', ['tso']);
    const { schedule } = results[0]!.errors[0]!;
    const machine = new Machine(program, 'tso', {}, { spin: true });
    const trace = traceExecution(machine, schedule, sourceOf);
    const plain = new Machine(asWritten!(), 'tso', {}, { spin: true });
    expect(runsAlike(machine, plain, schedule)).toBe(true);
    const steps = new Stepper(plain, trace);
    expect(steps.execute('u 11')[0]).toMatch(/thread 0\.1 {2}dekker\.c:11/);
    const calls = steps.execute('t');
    expect(calls[0]).toBe('thread 0.1, about to continue:');
    expect(calls[1]).toBe('  lock_acquire at dekker.c:12: l = &accounts[2].lock, me = 0, other = 1');
    expect(calls[2]).toMatch(/^ {2}deposit at dekker\.c:\d+: a = &accounts\[2\], me = 0, amount = 10$/);
    expect(steps.execute('p me')).toEqual(['me = 0 in lock_acquire']);
    expect(steps.execute('p amount')).toEqual(['amount = 10 in deposit']);
    expect(steps.execute('p accounts[2].lock.turn')).toEqual(['accounts[2].lock.turn = 0']);
    // Through a pointer, with a variable as index, and never only half of the expression.
    expect(steps.execute('print l->turn')).toEqual(['accounts[2].lock.turn = 0']);
    expect(steps.execute('p a->lock.interested[me]')[0]).toMatch(/^accounts\[2\]\.lock\.interested\[0\] = \d$/);
    expect(steps.execute('p me + 1')[0]).toContain('no variable here is called "me + 1"');
    expect(steps.execute('p nothing')[0]).toContain('no variable here is called "nothing"');
    const there = steps.execute('u dekker.c:11')[0];
    expect(there).toMatch(/thread 0\.2 {2}dekker\.c:11/);
    expect(steps.execute('U 11')[0]).toMatch(/thread 0\.1 {2}dekker\.c:11/);
    expect(steps.execute('U 11')).toEqual(['no earlier step is at 11']);
    expect(steps.execute('u x')).toEqual(['expected a line, or file:line, not "x"']);
  });

  it('lists the events around it, with a mark', async () => {
    const steps = await stepper();
    steps.execute('g 6');
    const lines = steps.execute('l');
    expect(lines.filter((line) => line.startsWith('>'))).toHaveLength(1);
    expect(lines.find((line) => line.startsWith('>'))).toMatch(/^> 6 /);
    expect(lines).toHaveLength(10);
  });

  it('says what it does not understand, and ends on q', async () => {
    const steps = await stepper();
    for (const line of ['x', 'n x', 'g', 'b -', '\u001b[2J'])
      expect(steps.execute(line)).toEqual([`unknown command "${printable(line)}"; h for help`]);
    expect(steps.execute('h').join('\n')).toContain('back');
    expect(steps.isDone).toBe(false);
    expect(steps.execute('q')).toEqual([]);
    expect(steps.isDone).toBe(true);
  });
});
