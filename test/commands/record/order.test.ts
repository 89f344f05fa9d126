/**
 * The order of a log is that of the execution: threads read and write a few variables without any synchronisation and
 * keep what they read; each read must have returned the value of the last write before it in the log. This holds only
 * if the hooks order the accesses themselves, and if the recorded execution is sequentially consistent.
 */
import { describe, expect, it } from 'vitest';
import * as ev from '../../../src/machine/events/event.ts';
import { compilersOf, Recorded } from '../../support/recorded.ts';
import { DEEP, samples } from '../../support/tier.ts';

const THREADS = 4;
const STEPS = DEEP ? 20_000 : 8000;

/**
 * Step i of thread t writes (t + 1) * STEPS + i, or reads; which of the two, and where, is drawn by a generator that
 * the test shares.
 */
const SOURCE = `#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
enum { THREADS = ${THREADS}, STEPS = ${STEPS} };
static volatile unsigned plain[3];
static _Atomic unsigned atomic;
static unsigned seen[THREADS][STEPS];
static void *run(void *argument) {
  unsigned me = (unsigned)(long)argument, r = me * 77 + 1;
  for (unsigned i = 0; i < STEPS; i++) {
    r = r * 1664525u + 1013904223u;
    unsigned at = (r >> 16) % 4, value = (me + 1) * STEPS + i, got = 0;
    if (r >> 31 && at < 3) plain[at] = value;
    else if (r >> 31) atomic_store_explicit(&atomic, value, memory_order_relaxed);
    else got = at < 3 ? plain[at] : atomic_load_explicit(&atomic, memory_order_relaxed);
    seen[me][i] = got;
    /* In a system call, right after an access whose stripe it holds. */
    if ((r >> 8) % 1024 == 0) usleep(1);
  }
  return 0;
}
int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  printf("%llu %llu\\n", (unsigned long long)(void *)plain, (unsigned long long)(void *)&atomic);
  for (int i = 0; i < THREADS; i++)
    for (int k = 0; k < STEPS; k++) printf("%u\\n", seen[i][k]);
}
`;

interface Step {
  readonly at: number;
  readonly value: number;
  readonly writes: boolean;
}

function stepsOf(thread: number): Step[] {
  let r = thread * 77 + 1;
  return Array.from({ length: STEPS }, (_, i) => {
    r = (Math.imul(r, 1664525) + 1013904223) >>> 0;
    return { at: (r >>> 16) % 4, value: (thread + 1) * STEPS + i, writes: r >>> 31 === 1 };
  });
}

describe.each(compilersOf('C'))('%s', (_, compiler) => {
  it('has every read after the write that it saw', () => {
    const recorded = new Recorded(compiler, 'order.c', SOURCE, ['-O1']);
    const plan = Array.from({ length: THREADS }, (__, thread) => stepsOf(thread));
    for (let run = 0; run < samples(2); run++) {
      const { stdout, exit } = recorded.run();
      expect(exit).toBe(0);
      const [head, ...rest] = stdout.trim().split('\n');
      const [plain, atomic] = head!.split(' ').map(Number) as [number, number];
      const addresses = [plain, plain + 4, plain + 8, atomic];
      const memory = new Map(addresses.map((address) => [address, 0]));
      const done = new Array<number>(THREADS).fill(0);
      const wrong: string[] = [];
      recorded.read({
        event: ({ operation, thread, address }) => {
          if (thread === 0 || !memory.has(address)) return;
          if (operation !== ev.LOAD_EVENT && operation !== ev.STORE_EVENT) return;
          const step = done[thread - 1]!++;
          const { at, value, writes } = plan[thread - 1]![step]!;
          const isPlanned = address === addresses[at] && (operation === ev.STORE_EVENT) === writes;
          if (!isPlanned) wrong.push(`thread ${thread}, step ${step} is another`);
          const seen = Number(rest[(thread - 1) * STEPS + step]);
          if (writes) memory.set(address, value);
          else if (memory.get(address) !== seen) wrong.push(`thread ${thread}, step ${step}: ${seen}`);
        },
        site: () => {},
        name: () => {},
      });
      expect(done).toEqual(new Array(THREADS).fill(STEPS));
      expect(wrong).toEqual([]);
    }
    recorded.remove();
  });
});
