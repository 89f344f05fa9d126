/**
 * What monitors cannot see must be explored: under PSO, a pointer to a mutex may become visible before the mutex is
 * initialised.
 */
import { afterAll, expect, it } from 'vitest';
import { Folder, fencepost } from '../support/fencepost.ts';
import '../support/c.ts';

const folder = new Folder();
afterAll(() => folder.remove());

const PUBLISHED = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct object { pthread_mutex_t mutex; int count; };
static _Atomic(struct object *) shared;
static void *publish(void *_) {
  struct object *o = calloc(1, sizeof *o);
  pthread_mutex_init(&o->mutex, 0);
  atomic_store_explicit(&shared, o, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publish, 0);
  struct object *o = atomic_load_explicit(&shared, memory_order_relaxed);
  if (o) {
    pthread_mutex_lock(&o->mutex);
    o->count++;
    pthread_mutex_unlock(&o->mutex);
  }
  pthread_join(t, 0);
}
`;

it('finds a mutex that is used before its initialisation has reached memory, with and without monitors', async () => {
  folder.write('published.c', PUBLISHED);
  for (const options of [[], ['--no-monitors'], ['--strategy', 'enumerate']]) {
    const args = ['check', 'published.c', '--model', 'sc,tso,pso', '--no-out', ...options];
    const { exit, stdout } = await fencepost(args, { cwd: folder.path });
    expect([exit, stdout]).toEqual([1, expect.stringContaining('use of a mutex that has not been initialised')]);
    expect(stdout).toMatch(/under tso: verified/);
  }
});

it('is no proof of robustness under pso', async () => {
  folder.write('published.c', PUBLISHED);
  const { exit, stdout } = await fencepost(['robust', 'published.c'], { cwd: folder.path });
  expect(exit).toBe(4);
  expect(stdout).toMatch(/under tso: robust/);
  expect(stdout).toMatch(/under pso: inconclusive.*initialised while the program runs/s);
});
