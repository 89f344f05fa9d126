/*
 * A ring buffer for one producer and one consumer, without read-modify-writes.
 * L. Lamport, Proving the correctness of multiprocess programs, 1977.
 *
 * Each index has one writer. The producer fills a slot and then moves its index. Under TSO the two stores stay in
 * order; under PSO the index can come first, and the consumer reads what was in the slot before. Its own index moves
 * after a load, which no model delays, so the way back needs no fence.
 */
#include "../fences.h"

enum { SLOTS = 1 };

atomic_int written, read;
int slots[SLOTS];

static void put(int value) {
  int at = get(written);
  while (at - get(read) == SLOTS)
    ;
  slots[at % SLOTS] = value;
  STORE_STORE();
  set(written, at + 1);
}

static int take(void) {
  int at = get(read);
  while (get(written) == at)
    ;
  int value = slots[at % SLOTS];
  set(read, at + 1);
  return value;
}

static void *producer(void *unused) {
  (void)unused;
  put(1);
  put(2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  int a = take();
  assert(a == 1);
  int b = take();
  assert(b == 2);
  pthread_join(thread, 0);
  return 0;
}
