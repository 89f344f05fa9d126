/** Spin loops and the bound on loops: `MachineOptions.spin` and `unroll`, `blockedBy`, `wouldLeave`. */

import { describe, expect, it } from 'vitest';
import { Enumerator } from '../../../src/explore/enumerator.ts';
import { Exhaustive } from '../../../src/explore/exhaustive.ts';
import { explore } from '../../../src/explore/explore.ts';
import { parseLitmus } from '../../../src/frontend/litmus/litmus.ts';
import { blockedBy } from '../../../src/machine/describe/stopped.ts';
import { Machine, type MachineOptions } from '../../../src/machine/machine.ts';
import type { Limits } from '../../../src/machine/state/layout.ts';
import { SPINNING, T_STATUS } from '../../../src/machine/state/layout.ts';
import { wouldLeave } from '../../../src/machine/would-leave.ts';
import type { Model } from '../../../src/models/index.ts';
import type { Program } from '../../../src/program/ir.ts';
import { check, compileC, MODELS, verdict } from '../../support/c.ts';
import { wordsOf } from '../../support/state-words.ts';

interface Ends {
  readonly complete: number;
  /** Blocked executions, by what blocks them and whether a sleeping thread would wake. */
  readonly blocked: readonly string[];
  readonly errors: readonly string[];
  readonly bounds: readonly string[];
}

const SMALL: Partial<Limits> = {
  threads: 3,
  frameWords: 1 << 10,
  stackBytes: 1 << 10,
  heapBytes: 1 << 10,
  bufferEntries: 64,
};

/** Every schedule, and how each ends. */
function ends(program: Program, model: Model, options: MachineOptions): Ends {
  const machine = new Machine(program, model, SMALL, options);
  const blocked = new Set<string>();
  let complete = 0;
  const result = explore(machine, new Exhaustive(), {
    keepGoing: true,
    maxDepth: 100,
    maxExecutions: 5000,
    onExecution: (_, outcome) => {
      if (outcome === 'complete') complete++;
      if (outcome === 'blocked') blocked.add(describeBlocked(machine));
    },
  });
  const errors = new Set(result.errors.map(({ error }) => `${error.kind}: ${error.message}`));
  return { complete, blocked: [...blocked].sort(), errors: [...errors], bounds: result.bounds };
}

function describeBlocked(machine: Machine): string {
  const words = wordsOf(machine);
  const { spinning, unrolled, assumed } = blockedBy(machine);
  const leaving = machine.processes.slotsInNameOrder.filter(
    (thread) => machine.threads.get(thread, T_STATUS) === SPINNING && wouldLeave(machine, thread),
  ).length;
  expect(wordsOf(machine).every((word, i) => word === words[i])).toBe(true);
  return `${spinning} spinning, ${unrolled} unrolled, ${assumed} assumed; ${leaving} would leave`;
}

const litmus = (p0: string[], p1: string[]): Program => {
  const rows = Array.from({ length: Math.max(p0.length, p1.length) }, (_, i) => ` ${p0[i] ?? ''} | ${p1[i] ?? ''} ;`);
  return parseLitmus(`X86 test\n{ }\n P0 | P1 ;\n${rows.join('\n')}\nexists (true)\n`, 'test.litmus').program;
};
const waiting = ['L: MOV EAX,[x]', 'CMP EAX,$1', 'JNE L'];

describe('a thread that waits for a flag', () => {
  it.each(MODELS)('sleeps after one idle iteration, and is woken in no execution, under %s', (model) => {
    const program = litmus(waiting, ['MOV [x],$1']);
    const result = ends(program, model, { spin: true });
    expect(result).toMatchObject({
      blocked: ['1 spinning, 0 unrolled, 0 assumed; 1 would leave'],
      errors: [],
      bounds: [],
    });
    expect(result.complete).toBeGreaterThan(0);
  });

  it.each(MODELS)('would never leave if no thread raises it, under %s', (model) => {
    const result = ends(litmus(waiting, ['MOV [y],$1']), model, { spin: true });
    expect(result).toEqual({
      complete: 0,
      blocked: ['1 spinning, 0 unrolled, 0 assumed; 0 would leave'],
      errors: ['liveness: thread 0 waits in a loop that never ends'],
      bounds: [],
    });
  });

  it.each(MODELS)('sees its own store once that has reached memory, under %s', (model) => {
    const result = ends(litmus(['MOV [x],$1', ...waiting], ['MOV [y],$1']), model, { spin: true });
    expect(result).toMatchObject({ blocked: [], errors: [], bounds: [] });
  });

  it('keeps running without the option', () => {
    expect(ends(litmus(waiting, ['MOV [x],$1']), 'sc', {}).bounds).not.toEqual([]);
  });
});

describe('a bound on loops', () => {
  it.each([1, 2, 3, 5])('stops a thread after %i rounds', (unroll) => {
    const result = ends(litmus(waiting, ['MOV [x],$1']), 'sc', { unroll });
    // The store may come before any of the rounds, or after all of them.
    expect(result.complete).toBe(unroll);
    expect(result.blocked).toEqual(['0 spinning, 1 unrolled, 0 assumed; 0 would leave']);
    expect(result.bounds).toEqual([`unroll: ${unroll}, the loop at test.litmus:4:5`]);
  });

  it('does not affect shorter loops', async () => {
    const program = await compileC('int x; int main(void) { for (int i = 0; i < 4; i++) x = i; return 0; }');
    expect(ends(program, 'sc', { unroll: 5 })).toMatchObject({ complete: 1, blocked: [] });
    expect(ends(program, 'sc', { unroll: 4 })).toMatchObject({ complete: 0 });
  });

  it('restarts its count whenever the loop is entered, in every call', async () => {
    const program = await compileC(`int x;
      static void inner(void) { for (int i = 0; i < 3; i++) x = i; }
      int main(void) { for (int i = 0; i < 3; i++) { inner(); for (int j = 0; j < 3; j++) x++; } return 0; }`);
    expect(ends(program, 'sc', { unroll: 4 })).toMatchObject({ complete: 1, blocked: [] });
  });
});

describe('C programs', () => {
  const PRELUDE = `#include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    atomic_int lock, data, flag; int plain;
    `;
  const twoThreads = (body: string): string =>
    `${PRELUDE}static void *run(void *_) { ${body} return 0; }
    int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); run(0); pthread_join(t, 0); assert(plain == 2); return 0; }`;

  it.each([
    ['test and set', 'while (atomic_exchange(&lock, 1)) ; plain++; atomic_store(&lock, 0);'],
    ['compare and swap', 'int e = 0; while (!atomic_compare_exchange_strong(&lock, &e, 1)) e = 0; plain++; lock = 0;'],
    ['test, then test and set', 'do { while (lock) ; } while (atomic_exchange(&lock, 1)); plain++; lock = 0;'],
  ])('a lock of %s is verified, with bounded waiting', async (_, body) => {
    const program = await compileC(twoThreads(body));
    for (const model of MODELS) {
      const machine = new Machine(program, model, SMALL, { spin: true });
      const result = explore(machine, new Enumerator(machine), { maxDepth: 500 });
      expect(result).toMatchObject({ errors: [], bounds: [] });
      expect(result.executions).toBeGreaterThan(0);
      expect(result.blocked).toBeGreaterThan(0);
    }
  });

  it('finds the failure behind a loop', async () => {
    const program = await compileC(`${PRELUDE}
      static void *run(void *_) { while (!flag) ; assert(!plain); return 0; }
      int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); plain = 1; flag = 1; return 0; }`);
    expect(ends(program, 'sc', { spin: true }).errors).toEqual(['assertion: !plain']);
  });

  it.each([
    ['a counter', 'int n = 0; while (!flag) n++; plain = n;'],
    ['a store', 'while (!flag) data = 1;'],
    ['a value that changes', 'while (!flag) data++;'],
  ])('does not take %s for idle', async (_, body) => {
    const program = await compileC(`${PRELUDE}
      int main(void) { ${body} return 0; }`);
    expect(ends(program, 'sc', { spin: true })).toMatchObject({ complete: 0, blocked: [] });
  });

  it('recognises a loop with dead registers and calls as idle', async () => {
    const program = await compileC(`${PRELUDE}
      static int get(void) { return flag; }
      int main(void) { int seen; do { seen = get(); } while (!seen); return 0; }`);
    expect(ends(program, 'sc', { spin: true })).toEqual({
      complete: 0,
      blocked: ['1 spinning, 0 unrolled, 0 assumed; 0 would leave'],
      errors: ['liveness: thread 0 waits in a loop that never ends'],
      bounds: [],
    });
  });

  it('is not an error once main has returned: the process may end at any time', async () => {
    const program = await compileC(`${PRELUDE}
      static void *run(void *_) { while (!flag) ; return 0; }
      int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return 0; }`);
    expect(ends(program, 'sc', { spin: true })).toMatchObject({ errors: [], bounds: [] });
  });
});

describe('loops in loops', () => {
  const PRELUDE = `#include <assert.h>
    #include <pthread.h>
    #include <stdatomic.h>
    extern void __VERIFIER_atomic_begin(void);
    static atomic_int l, m = 1, a, b; static int c;
    static int try_(void) { int z = 0; return atomic_compare_exchange_strong(&l, &z, 1); }
    `;
  const started = (body: string, rest: string): string => `${PRELUDE}
    static void *w(void *u) { ${body} return u; }
    int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); ${rest} pthread_join(t, 0); return 0; }`;
  const locked = (lock: string, order = 'release'): string => `${PRELUDE}
    static void *w(void *u) { ${lock} c++; atomic_store_explicit(&l, 0, memory_order_${order}); return u; }
    int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); assert(c == 2); return 0; }`;
  const verdicts = async (source: string, more: { unroll?: number } = {}): Promise<string[]> => {
    const program = await compileC(source);
    const found = (['optimal', 'source', 'enumerate'] as const).map((strategy) =>
      MODELS.map((model) => verdict(check(program, model, { strategy, spin: true, ...more }))).join(', '),
    );
    return [...new Set(found)];
  };

  it.each([
    ['two flags', started('b = 1; a = 1;', 'while (!a) while (!b) ;')],
    ['a flag that is taken back', started('while (m) while (!a) ;', 'm = 0; a = 1;')],
    ['test and test-and-set', locked('while (atomic_exchange(&l, 1)) while (atomic_load(&l)) ;')],
    ['a try in a loop, in a function', locked('while (!try_()) { while (atomic_load(&l)) ; }')],
    ['three deep', started('a = 1; b = 1; m = 0;', 'while (m) while (!b) while (!a) ;')],
    ['a counter of attempts that begins anew', locked('int n = 0; while (atomic_exchange(&l, 1)) if (++n > 4) n = 0;')],
  ])('%s: no error under any model, with any strategy', async (_, source) => {
    expect(await verdicts(source)).toEqual(['verified, verified, verified']);
  });

  it('hide no error behind them', async () => {
    const source = locked('while (atomic_exchange(&l, 1)) while (atomic_load(&l)) ;', 'relaxed');
    expect(await verdicts(source)).toEqual(['verified, verified, assertion: c == 2']);
  });

  const hangs = 'liveness: thread 0 waits in a loop that never ends';
  it.each([
    ['the inner one', started('a = 1;', 'while (m) while (!b) ;')],
    ['the outer one', started('b = 1;', 'while (!a) while (!b) ;')],
    ['one with a counter that begins anew', started('b = 1;', 'for (int n = 0; !a; ) if (++n > 20) n = 0;')],
  ])('that nobody ends are errors: %s', async (_, source) => {
    expect(await verdicts(source)).toEqual([`${hangs}, ${hangs}, ${hangs}`]);
  });

  it.each([1, 2, 7])('that never end are cut by a bound of %i on loops', async (unroll) => {
    for (const source of [
      started('b = 1;', 'while (!a) while (!b) ;'),
      // Reads for ever, as a user of an object might, and fails only if the value is wrong.
      started('for (;;) assert(b == 0);', 'for (;;) assert(b == 0);'),
    ]) {
      expect(await verdicts(source, { unroll })).toEqual(['inconclusive, inconclusive, inconclusive']);
      const { bounds, blockedBy } = check(await compileC(source), 'tso', { strategy: 'optimal', spin: true, unroll });
      expect(bounds[0]).toMatch(new RegExp(`^unroll: ${unroll}, the loop at `));
      expect(blockedBy).toMatchObject({ spin: 0, unroll: expect.toSatisfy((n: number) => n > 0) });
    }
  });

  it('hide no error behind a bound on them', async () => {
    const source = started('while (!a) ; c = 1;', 'a = 1; for (;;) { assert(c == 0); }');
    const fails = 'assertion: c == 0';
    expect(await verdicts(source, { unroll: 3 })).toEqual([`${fails}, ${fails}, ${fails}`]);
  });

  it('that wait for each other are deadlocks with a bound, too', async () => {
    const source = started('mtx_lock(&p); mtx_lock(&q);', 'mtx_lock(&q); mtx_lock(&p);');
    const text = source.replace(PRELUDE, `#include <threads.h>\nstatic mtx_t p, q;\n${PRELUDE}`);
    expect((await verdicts(text, { unroll: 2 })).join()).toMatch(/^(deadlock: .*the lock p.*){3}$/);
  });

  it.each([
    [
      'join',
      `${PRELUDE}
      static void *w(void *u) { return u; }
      int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); do pthread_join(t, 0); while (!a); return 0; }`,
    ],
    [
      'begin an atomic section',
      `${PRELUDE}
      int main(void) { while (!a) __VERIFIER_atomic_begin(); return 0; }`,
    ],
  ])('do not only wait if they %s', async (_, source) => {
    const program = await compileC(source);
    for (const model of MODELS) {
      const { errors } = check(program, model, { strategy: 'enumerate', spin: true });
      expect(errors.map(({ error }) => error.kind)).toEqual(['misuse']);
    }
  });
});
