/** Machines are large but mostly empty: those that are no longer used must give back their address space. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { check } from '../../src/api/check.ts';

/** A recursive function needs a whole stack, and threads that are created in a loop count as 64. */
const SOURCE = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
static atomic_int sum;
static int factorial(int n) { volatile char b[400]; b[0] = 1; return n < 2 ? 1 : n * factorial(n - 1); }
static void *run(void *p) { atomic_fetch_add(&sum, factorial(4)); return p; }
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(sum == 48);
}
`;
const CHECKS = 20;

/** In bytes. */
function addressSpace(): number {
  return Number(/VmSize:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
}

it.runIf(process.platform === 'linux')('many checks in one process take the space of a few', async () => {
  const before = addressSpace();
  let most = 0;
  for (let i = 0; i < CHECKS; i++) {
    const { results } = await check({ source: `${SOURCE}// ${i}\n` }, { monitors: false });
    expect(results.map(({ verdict }) => verdict)).toEqual(['verified', 'verified', 'verified', 'verified']);
    most = Math.max(most, addressSpace() - before);
  }
  // Without collections, they take more than 25 GB.
  expect(most).toBeLessThan(15e9);
});
