/** Anonymous mappings, poll as a way to sleep, and scheduling parameters. */
import { describe, expect, it } from 'vitest';
import { check, compileC, verdict } from '../../support/c.ts';

const MMAN =
  '#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <sys/mman.h>\n#include <errno.h>\n';
const MAP = 'mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)';

async function answer(body: string, model: 'sc' | 'rc11' = 'sc'): Promise<string> {
  const { verdict: of, bounds, errors } = check(await compileC(`${MMAN}int main(void) { ${body} return 0; }`), model);
  return errors.length > 0
    ? `${errors[0]!.error.kind}: ${errors[0]!.error.message}`
    : `${of.kind} ${bounds.join()}`.trim();
}

describe('mmap', () => {
  it('gives pages of zeroes, which may be written and given back', async () => {
    const body = `char *p = ${MAP}; assert(p != MAP_FAILED && (unsigned long)p % 4096 == 0);
      assert(p[0] == 0 && p[8191] == 0); p[8191] = 1; assert(munmap(p, 5000) == 0);`;
    for (const model of ['sc', 'rc11'] as const) expect(await answer(body, model)).toBe('verified');
  });

  it.each([
    [`char *p = ${MAP}; p[8192] = 1;`, 'memory: access outside any object'],
    [`char *p = ${MAP}; munmap(p, 8192); p[0] = 1;`, 'memory: use after free'],
    [`char *p = ${MAP}; munmap(p, 8192); munmap(p, 8192);`, 'memory: double free'],
    [`free(${MAP});`, 'misuse: free of memory that came from mmap: use munmap'],
    [`char *p = realloc(${MAP}, 1);`, 'misuse: free of memory that came from mmap: use munmap'],
    ['mmap(0, 9, PROT_READ, MAP_PRIVATE, 3, 0);', 'inconclusive machine: not modelled (mmap of a file'],
    ['mmap((void *)4096, 9, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);', 'MAP_FIXED'],
    ['mmap(0, 9, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);', 'cannot be both read and written'],
    [`char *p = ${MAP}; munmap(p + 4096, 4096);`, 'munmap of anything but one whole anonymous mapping'],
    [`char *p = ${MAP}; munmap(p, 4096);`, 'munmap of anything but one whole anonymous mapping'],
    ['void *p = aligned_alloc(4096, 4096); munmap(p, 4096);', 'munmap of anything but one whole anonymous mapping'],
    [`char *p = ${MAP}; assert(munmap(p + 1, 4096) == -1 && errno == EINVAL && munmap(p, 0) == -1);`, 'verified'],
    ['assert(mmap(0, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);', 'verified'],
  ])('is checked: %s: %s', async (body, expected) => {
    expect(await answer(body)).toContain(expected);
  });

  const source = (join: string): string => `${MMAN}static int *shared;
static void *reader(void *p) { return (void *)(long)shared[3]; }
int main(void) {
  shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared[3] = 7;
  pthread_t t; pthread_create(&t, 0, reader, 0);
  ${join} munmap(shared, 4096);
}
`;
  it.each(['sc', 'tso', 'pso', 'rc11'] as const)(
    'is right about munmap while another thread reads, under %s',
    async (model) => {
      expect(verdict(check(await compileC(source('void *r; pthread_join(t, &r); assert((long)r == 7);')), model))).toBe(
        'verified',
      );
      expect(verdict(check(await compileC(source('')), model))).toBe('memory: use after free');
    },
  );
});

describe('poll', () => {
  const TIME = '#include <poll.h>\n#include <time.h>\n#include <assert.h>\n';
  const NOW = 'clock_gettime(CLOCK_MONOTONIC, &t)';
  it('sleeps', async () => {
    const source = `${TIME}int main(void) {
  struct timespec t, limit = {2, 500}; ${NOW}; long first = t.tv_sec;
  struct pollfd none = {-1, POLLIN, 5};
  assert(poll(0, 0, 3000) == 0); ${NOW}; assert(t.tv_sec == first + 3);
  assert(ppoll(&none, 1, &limit, 0) == 0 && none.revents == 0); ${NOW}; assert(t.tv_sec == first + 5);
  limit.tv_nsec = -1; assert(ppoll(0, 0, &limit, 0) == -1);
}`;
    expect(verdict(check(await compileC(source), 'sc'))).toBe('verified');
  });

  it.each([
    ['struct pollfd f = {0, POLLIN, 0}; poll(&f, 1, 5);', 'poll of a file'],
    ['poll(0, 0, -1);', 'poll that only a signal could end'],
    ['ppoll(0, 0, 0, 0);', 'ppoll that only a signal could end'],
  ])('%s is not modelled', async (body, reason) => {
    const { verdict: of, bounds } = check(await compileC(`${TIME}int main(void) { ${body} }`), 'sc');
    expect([of.kind, bounds]).toEqual(['inconclusive', [expect.stringContaining(`not modelled (${reason}`)]]);
  });

  it('in a loop only waits', async () => {
    const source = `${TIME}#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static void *work(void *p) { done = 1; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); while (!done) poll(0, 0, 10); }`;
    expect(verdict(check(await compileC(source), 'sc'))).toBe('verified');
  });
});

it('threads have the default policy, and cannot change it', async () => {
  const source = `#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
  int policy = 7; struct sched_param p = {9};
  assert(pthread_getschedparam(pthread_self(), &policy, &p) == 0 && policy == SCHED_OTHER && p.sched_priority == 0);
  assert(pthread_setschedparam(pthread_self(), policy, &p) == 0 && pthread_setschedprio(pthread_self(), 0) == 0);
  p.sched_priority = 5;
  assert(pthread_setschedparam(pthread_self(), SCHED_OTHER, &p) == EINVAL);
  assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &p) == EPERM);
  assert(pthread_setschedparam(pthread_self(), 77, &p) == EINVAL && pthread_setschedprio(pthread_self(), 1) == EINVAL);
}`;
  expect(verdict(check(await compileC(source), 'sc'))).toBe('verified');
});
