/*
 * The thread pool, the queue, the shared map and the ring of the runtime (`runtime/`), in place of [NIDHUGG]
 * Table 1, apr_2.c.
 *
 * THREADS workers run TASKS tasks, each of which puts its number into a shared map under a name; main adds one more
 * meanwhile, waits for the tasks, and ends the workers. Then another thread sends the first SENT numbers through a ring
 * without locks, and main receives them: what comes through the ring must be what the map contains.
 *
 * It is correct under every model. With NO_BARRIER the ring lacks its store-store barrier: under PSO the index can
 * overtake the number, and main receives an old value. Main waits in a loop that writes nothing; the other
 * loops have a fixed number of rounds. TASKS can be up to 3 and SENT one more than TASKS; but one more task means
 * more than ten times the executions, and one more number three times.
 *
 *   fencepost check programs/nidhugg/runtime_2.c programs/nidhugg/runtime/?*.c
 */
#include "runtime/ring.h"
#include "runtime/shared_map.h"
#include "runtime/thread.h"
#include "runtime/workers.h"

#include <assert.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TASKS
#define TASKS 1
#endif
#ifndef SENT
#define SENT 1
#endif

typedef struct item {
  const char *name;
  int number;
} item;

enum { ITEMS = TASKS + 1 };

static item items[] = {{"one", 11}, {"two", 22}, {"three", 33}, {"four", 44}};
static rt_shared_map *map;

static void store_item(rt_pool *scratch, void *data) {
  item *i = data;
  int *copy = rt_alloc_copy(scratch, &i->number, sizeof i->number);
  assert(copy != 0 && *copy == i->number);
  assert(rt_shared_map_add(map, i->name, &i->number) == RT_OK);
}

static rt_status send(rt_thread *self, void *data) {
  (void)self;
  rt_ring *ring = data;
  for (int i = 0; i < SENT; i++) RT_TRY(rt_ring_put(ring, items[i].number));
  return RT_OK;
}

static void run_tasks(rt_pool *pool) {
  rt_workers *workers;
  rt_group *group;
  assert(rt_group_create(&group, pool) == RT_OK);
  assert(rt_workers_create(&workers, pool, THREADS, TASKS) == RT_OK);
  for (int i = 0; i < TASKS; i++) assert(rt_workers_add(workers, group, store_item, &items[i]) == RT_OK);
  store_item(pool, &items[TASKS]);
  assert(rt_group_wait(group) == RT_OK);
  assert(rt_workers_end(workers) == RT_OK);
  assert(rt_workers_done(workers) == TASKS);
  assert(rt_shared_map_count(map) == ITEMS);
}

static void receive_items(rt_pool *pool) {
  rt_ring *ring;
  rt_thread *sender;
  rt_status sent;
  assert(rt_ring_create(&ring, pool, 4) == RT_OK);
  assert(rt_thread_start(&sender, pool, 0, send, ring) == RT_OK);
  for (int i = 0; i < SENT; i++) {
    int received = rt_ring_wait(ring);
    int *stored = rt_shared_map_get(map, items[i].name);
    assert(stored != 0 && *stored == received);
  }
  assert(rt_thread_join(sender, &sent) == RT_OK);
  assert(sent == RT_OK);
}

int main(void) {
  rt_pool *root;
  assert(rt_pool_create_root(&root, 0) == RT_OK);
  assert(rt_shared_map_create(&map, root) == RT_OK);
  run_tasks(root);
  receive_items(root);
  rt_pool_destroy(root);
  return 0;
}
