/** Operations marked in a program, their results in all serial executions, and executions with other results. */
import { describe, expect, it } from 'vitest';
import { Machine } from '../../../src/machine/machine.ts';
import { marksOperations, ObservationSet, observe, printObservation } from '../../../src/pipelines/observations.ts';
import { check, compileC, verdict } from '../../support/c.ts';
import { loadBenchmark } from '../../support/hunt.ts';

const HEADER = `#include <fencepost.h>
#include <pthread.h>
#include <stdatomic.h>
`;

/** Two threads that each run `body` with their number, 1 or 2. */
const twice = (globals: string, body: string): string => `${HEADER}${globals}
static void *work(void *me) { int i = (int)(long)me; ${body} return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, (void *)1);
  pthread_create(&b, 0, work, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}`;

describe('serial executions', () => {
  it('run each operation atomically, in every order of the threads', async () => {
    const program = await compileC(
      twice(
        'volatile int n;',
        'for (int k = 0; k < 2; k++) { fencepost_op_begin("next", i); int r = n; n = r + 1; fencepost_op_end(r); }',
      ),
    );
    // Which two of 0 … 3 the first thread gets, in ascending order.
    expect(new ObservationSet(program).size).toBe(6);
  });

  it('interleave what is outside operations', async () => {
    const program = await compileC(
      twice('volatile int n, m;', 'int r = n; n = r + 1; fencepost_op_begin("look", 0); m = i; fencepost_op_end(r);'),
    );
    // Both can read 0 before either writes.
    expect(new ObservationSet(program).size).toBe(3);
  });

  it('omit orders in which an operation cannot continue alone', async () => {
    const program = await compileC(
      twice(
        'atomic_int ready;',
        `fencepost_op_begin("pass", i);
         if (i == 1) ready = 1; else while (!ready);
         fencepost_op_end(i);`,
      ),
    );
    expect(new ObservationSet(program).size).toBe(1);
  });

  it('do not exist if no operation is marked', async () => {
    expect(marksOperations(await compileC('int main(void) { return 0; }'))).toBe(false);
    expect(marksOperations(await loadBenchmark('ms2'))).toBe(true);
  });
});

describe('an observation', () => {
  it('has the operations of each thread with their results, and is rolled back with the machine', async () => {
    const program = await compileC(
      twice('volatile int n;', 'fencepost_op_begin("set", i); n = i; fencepost_op_end(10 * i);'),
    );
    const machine = new Machine(program, 'sc');
    while (machine.enabled() > 0) machine.step(machine.steps.get(0));
    expect(printObservation(observe(machine))).toBe('0.1: set(1) = 10; 0.2: set(2) = 20');
    machine.rollback(0);
    expect(observe(machine)).toEqual([]);
  });
});

describe('check --observations', () => {
  const options = { strategy: 'optimal', observations: true } as const;

  it('finds a lost update that nothing asserts, and shows the nearest serial results', async () => {
    const program = await compileC(
      twice('volatile int n;', 'fencepost_op_begin("next", 0); int r = n; n = r + 1; fencepost_op_end(r);'),
    );
    const { errors, verdict: found } = check(program, 'sc', options);
    expect(found.kind).toBe('violation');
    expect(errors[0]!.error).toEqual({
      kind: 'assertion',
      message: 'no serial execution of the operations has these results: 0.1: next(0) = 0; 0.2: next(0) = 0',
      notes: [
        'serial, 1 operation differs: 0.1: next(0) = 0; 0.2: next(0) = 1',
        'serial, 1 operation differs: 0.1: next(0) = 1; 0.2: next(0) = 0',
      ].sort((a, b) => (errors[0]!.error.notes!.indexOf(a) < errors[0]!.error.notes!.indexOf(b) ? -1 : 1)),
    });
    expect(verdict(check(program, 'sc', { strategy: 'optimal' }))).toBe('verified');
  });

  it.each(['ms2', 'msn', 'snark'])('finds partial initialisation in %s under PSO only', async (name) => {
    const program = await loadBenchmark(name, ['SMALL']);
    expect(verdict(check(program, 'sc', options))).toBe('verified');
    expect(verdict(check(program, 'tso', options))).toBe('verified');
    expect(verdict(check(program, 'pso', options))).toMatch(/dequeue\(0\) = 0|pop right\(0\) = 0/);
  });

  it('verifies ms2 under PSO with its fence', async () => {
    const program = await loadBenchmark('ms2', ['SMALL', 'FENCED']);
    expect(verdict(check(program, 'pso', options))).toBe('verified');
  });

  it.each([
    ['fencepost_op_begin("a", 1); fencepost_op_begin("b", 1);', 'misuse: an operation begins inside another one'],
    ['fencepost_op_end(1);', 'misuse: the end of an operation that has not begun'],
    [
      'fencepost_op_begin("a", i); if (i == 1) fencepost_op_end(1);',
      'misuse: operation a(2) has no fencepost_op_end before its thread ends; begun',
    ],
  ])('refuses %s', async (body, message) => {
    const program = await compileC(twice('', body));
    expect(verdict(check(program, 'sc'))).toBe(message);
    expect(verdict(check(program, 'tso', options))).toBe(message);
  });

  it('says where an operation without an end begins', async () => {
    const program = await compileC(`${HEADER}int main(void) {\n  fencepost_op_begin("push", 7);\n  return 0;\n}\n`);
    const [found] = check(program, 'sc').errors;
    expect(found!.error).toMatchObject({ kind: 'misuse', thread: '0', line: 5 });
  });

  it('lets a program exit inside an operation', async () => {
    const body = 'fencepost_op_begin("a", 1); exit(0);';
    expect(verdict(check(await compileC(`#include <stdlib.h>\n${twice('', body)}`), 'sc'))).toBe('verified');
  });
});
