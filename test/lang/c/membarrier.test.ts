/** Linux's membarrier. */
import { expect, it } from 'vitest';
import { check, compileC, MODELS, verdict } from '../../support/c.ts';

/** The fast side has no fence; the slow one asks for a fence in every thread. */
const source = `#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int x, y;
static int a, b;
static void *fast(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return p;
}
static void *slow(void *p) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  BARRIER;
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return p;
}
int main(void) {
  assert(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0) == -1 && errno == EPERM);
  assert(syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 1) == -1 && errno == EINVAL);
  assert(syscall(__NR_membarrier, MEMBARRIER_CMD_QUERY, 0) & MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  assert(syscall(__NR_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0) == 0);
  pthread_t t, u;
  pthread_create(&t, 0, fast, 0);
  pthread_create(&u, 0, slow, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a || b);
}
`;

const call = (command: string): string => `assert(syscall(SYS_membarrier, ${command}, 0) == 0)`;

it.each([undefined, 'i686'] as const)('membarrier is a fence in every thread (target %s)', async (target) => {
  for (const command of ['MEMBARRIER_CMD_PRIVATE_EXPEDITED', 'MEMBARRIER_CMD_GLOBAL']) {
    const program = await compileC(source.replace('BARRIER', call(command)), target === undefined ? {} : { target });
    for (const model of MODELS) expect(verdict(check(program, model, { strategy: 'optimal' }))).toBe('verified');
  }
});

it('neither a fence of the slow side alone nor a registration is one in every thread', async () => {
  for (const other of [
    'atomic_thread_fence(memory_order_seq_cst)',
    call('MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED'),
  ]) {
    const program = await compileC(source.replace('BARRIER', other));
    expect(verdict(check(program, 'sc', { strategy: 'optimal' }))).toBe('verified');
    for (const model of ['tso', 'pso'] as const)
      expect(verdict(check(program, model, { strategy: 'optimal' }))).toContain('assertion: a || b');
  }
});

it('other commands of membarrier, and models in which a fence does more, are not modelled', async () => {
  const command = await compileC(source.replace('BARRIER', call('MEMBARRIER_CMD_GLOBAL_EXPEDITED')));
  expect(check(command, 'tso', { strategy: 'optimal' }).bounds).toEqual([
    expect.stringContaining('this command of membarrier'),
  ]);
  const program = await compileC(source.replace('BARRIER', call('MEMBARRIER_CMD_PRIVATE_EXPEDITED')));
  expect(check(program, 'rc11', { strategy: 'optimal' }).bounds).toEqual([
    expect.stringContaining('not modelled: membarrier'),
  ]);
  expect(check(program, 'pslo', { strategy: 'optimal' }).bounds).toContain(
    'machine: membarrier is not modelled where loads may be stale',
  );
});

it('membarrier has the same verdicts under other strategies, or none', async () => {
  const barrier = await compileC(source.replace('BARRIER', call('MEMBARRIER_CMD_PRIVATE_EXPEDITED')));
  const fence = await compileC(source.replace('BARRIER', 'atomic_thread_fence(memory_order_seq_cst)'));
  for (const model of ['tso', 'pso'] as const) {
    for (const strategy of ['source', 'enumerate'] as const)
      expect(verdict(check(barrier, model, { strategy }))).toBe('verified');
    for (const strategy of ['source', 'enumerate', 'graph', 'random', 'pct', 'pos', 'delays'] as const)
      expect(verdict(check(fence, model, { strategy })), strategy).toContain('assertion: a || b');
    expect(check(barrier, model, { strategy: 'delays' }).verdict.kind).toBe('inconclusive');
    // Execution graphs have no such fence.
    expect(check(barrier, model, { strategy: 'graph' }).verdict.kind).toBe('inconclusive');
  }
});
