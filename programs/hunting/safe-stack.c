/*
 * A stack of items in an array, by D. Vyukov, who posted it with its defect as a riddle (2010; SCTBench's `safestack`). `pop` takes the
 * link out of the first item, so that nobody else can pop it meanwhile, and puts it back if it was too late. Three threads
 * break it, with five preemptions at least: two of them then have the same item.
 *
 * -D N=3        threads
 * -D ROUNDS=2   how often each takes an item and puts it back
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define ITEMS N
#define NONE (-1)

static struct {
  atomic_int next;
  volatile int owner;
} items[ITEMS];
static atomic_int head, count = ITEMS;

/* The item, or NONE. The last one stays. */
static int pop(void) {
  while (atomic_load(&count) > 1) {
    int first = atomic_load(&head);
    int second = atomic_exchange(&items[first].next, NONE);
    if (second < 0) continue;
    int expected = first;
    if (atomic_compare_exchange_strong(&head, &expected, second)) {
      atomic_fetch_sub(&count, 1);
      return first;
    }
    atomic_exchange(&items[first].next, second);
  }
  return NONE;
}

static void push(int item) {
  int first = atomic_load(&head);
  do {
    atomic_store(&items[item].next, first);
  } while (!atomic_compare_exchange_strong(&head, &first, item));
  atomic_fetch_add(&count, 1);
}

static void *run(void *argument) {
  int me = (int)(long)argument;
  for (int round = 0; round < ROUNDS; round++) {
    int item;
    while ((item = pop()) == NONE)
      ;
    items[item].owner = me;
    assert(items[item].owner == me);
    push(item);
  }
  return 0;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < ITEMS; i++) atomic_init(&items[i].next, i + 1 < ITEMS ? i + 1 : NONE);
  for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  return 0;
}
