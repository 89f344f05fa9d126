/* Each thread checks whether the other is busy, only to choose a way to count. Either way is correct. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int busy[2];
atomic_int count;

static void *worker(void *number) {
  int me = *(int *)number;
  busy[me] = 1;
  if (busy[1 - me]) {
    atomic_fetch_add(&count, 1);
  } else {
    int old = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &old, old + 1))
      ;
  }
  return 0;
}

int main(void) {
  static int numbers[] = {0, 1};
  pthread_t thread;
  pthread_create(&thread, 0, worker, &numbers[1]);
  worker(&numbers[0]);
  pthread_join(thread, 0);
  assert(count == 2);
  return 0;
}
