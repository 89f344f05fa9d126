/*
 * A spin lock for one writer or many readers, in one word: the number of readers, or -1.
 * After P. J. Courtois, F. Heymans, D. L. Parnas, Concurrent control with "readers" and "writers", 1971.
 *
 * The writer unlocks with a store, which under PSO can overtake its writes: a reader then sees one new value and
 * one old one. The reader has no such problem, because loads are never delayed.
 */
#include "../fences.h"

enum { WRITER = -1 };

atomic_int lock;
int left, right;

static void *writer(void *unused) {
  (void)unused;
  int nobody = 0;
  while (!replace(lock, nobody, WRITER)) nobody = 0;
  left++;
  right++;
  STORE_STORE();
  set(lock, 0);
  return 0;
}

static void reader(void) {
  int readers;
  do {
    while ((readers = get(lock)) == WRITER)
      ;
  } while (!replace(lock, readers, readers + 1));
  int sum = left - right;
  add(lock, -1);
  assert(sum == 0);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  reader();
  pthread_join(thread, 0);
  return 0;
}
