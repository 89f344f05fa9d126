/**
 * The classic programs as C: the right verdict under each model, and every violation found by random and by bounded
 * search: from one seed, or from three in the deep tier.
 */
import { describe, expect, it } from 'vitest';
import { DEFAULT_RANDOM_RUNS } from '../../../src/options/search.ts';
import type { Program } from '../../../src/program/ir.ts';
import { check, compileC, enumerate, errorText, MODELS, verdict } from '../../support/c.ts';
import { CLASSICS, CLASSICS_SOURCE, type Classic } from '../../support/c-classics.ts';
import { DEEP, samples } from '../../support/tier.ts';

function load({ entry }: Classic): Promise<Program> {
  return compileC({ 'classics.c': CLASSICS_SOURCE }, { entry });
}

const isViolation = (expected: string): boolean => expected !== 'verified';
const wrongUnderSc = CLASSICS.filter(({ expected }) => isViolation(expected.sc));

describe.each(CLASSICS)('$entry', (classic) => {
  const { expected, large = false } = classic;

  it.each(MODELS.filter((model) => !large || model === 'sc'))(
    'has its verdict in an exhaustive search under %s',
    async (model) => {
      const result = check(await load(classic), model);
      expect(verdict(result)).toBe(expected[model]);
      expect(result.bounds).toEqual([]);
    },
  );

  // Up to equality of traces: includes programs with too many schedules to run them all.
  it.each(MODELS)('has its verdict over all traces under %s', async (model) => {
    const { errors, bounds } = enumerate(await load(classic), model);
    const messages = new Set(errors.map(({ error }) => errorText(error)));
    if (isViolation(expected[model])) expect(messages).toContain(expected[model]);
    else expect(messages).toEqual(new Set());
    expect(bounds).toEqual([]);
  });

  const wrong = MODELS.filter((model) => isViolation(expected[model]));
  it.runIf(wrong.length > 0).each(wrong)(
    `is found to be wrong by random search within ${DEFAULT_RANDOM_RUNS} runs under %s`,
    async (model) => {
      const program = await load(classic);
      for (const seed of DEEP ? [1, 2, 3] : [1]) {
        const result = check(program, model, { strategy: 'random', seed });
        expect(verdict(result), `seed ${seed}`).toBe(expected[model]);
      }
    },
  );

  const runs = samples(100);
  it('shows no other error in random search', async () => {
    const program = await load(classic);
    for (const model of MODELS.filter((m) => !isViolation(expected[m]))) {
      const result = check(program, model, { strategy: 'random', maxExecutions: runs });
      expect(result.verdict).toEqual({ kind: 'inconclusive', because: [`random runs: ${runs}`] });
      expect(result.executions).toBe(runs);
    }
  });
});

describe('bounded search', () => {
  it.each(wrongUnderSc)('with two preemptions finds $entry', async (classic) => {
    const result = check(await load(classic), 'sc', { strategy: 'bounded', preemptions: 2 });
    expect(verdict(result)).toBe(classic.expected.sc);
  });

  it.each(CLASSICS.filter((classic) => !wrongUnderSc.includes(classic)))(
    'with two preemptions finds nothing in $entry',
    async (classic) => {
      const result = check(await load(classic), 'sc', { strategy: 'bounded', preemptions: 2 });
      // Either nothing was left out, or what was left out is named.
      if (result.verdict.kind === 'inconclusive') expect(result.verdict.because).toEqual(['preemptions: 2']);
      else expect(result.verdict.kind).toBe('verified');
    },
  );

  it('needs as many preemptions as the error', async () => {
    const program = await compileC({ 'classics.c': CLASSICS_SOURCE }, { entry: 'plain_counter' });
    const none = check(program, 'sc', { strategy: 'bounded', preemptions: 0 });
    expect(none.verdict).toEqual({ kind: 'inconclusive', because: ['preemptions: 0'] });
    const one = check(program, 'sc', { strategy: 'bounded', preemptions: 1 });
    expect(verdict(one)).toBe('assertion: counter == 2');
  });

  it('finds a deadlock of three locks with one preemption, because switching away from a thread that waits is free', async () => {
    const program = await compileC({ 'ring.c': RING });
    expect(check(program, 'sc', { strategy: 'bounded', preemptions: 0 }).verdict.kind).toBe('inconclusive');
    expect(verdict(check(program, 'sc', { strategy: 'bounded', preemptions: 1 }))).toBe(
      'deadlock: thread 0 waits for the lock m[0], held by thread 0.1; thread 0.1 waits for the lock m[1], held by thread 0.2; ' +
        'thread 0.2 waits for the lock m[2], held by thread 0',
    );
  });

  it('is complete with enough preemptions', async () => {
    const program = await compileC({ 'classics.c': CLASSICS_SOURCE }, { entry: 'sb' });
    const bounded = check(program, 'sc', { strategy: 'bounded', preemptions: 20 });
    expect(bounded.verdict.kind).toBe('verified');
    expect(bounded.executions).toBe(check(program, 'sc').executions);
  });
});

/** Three philosophers; each takes two of three locks. */
const RING = `#include <pthread.h>
pthread_mutex_t m[3];
static void take(int first, int second) {
  pthread_mutex_lock(&m[first]);
  pthread_mutex_lock(&m[second]);
  pthread_mutex_unlock(&m[second]);
  pthread_mutex_unlock(&m[first]);
}
static void *one(void *_) { take(0, 1); return 0; }
static void *two(void *_) { take(1, 2); return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  take(2, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
`;
