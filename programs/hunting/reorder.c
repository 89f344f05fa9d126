/*
 * N threads store to two variables, one thread reads both in between: the pattern of SCTBench's `reorder` programs
 * (P. Thomson, A. F. Donaldson, A. Betts: Concurrency testing using controlled schedulers, 2016). The reader fails only
 * between the two stores of a setter, and only as long as no setter has finished. Random schedules hardly ever get
 * there with many threads.
 *
 * -D N=10    the number of setters
 */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 10
#endif

static volatile int a, b;

static void *set(void *unused) {
  (void)unused;
  a = 1;
  b = -1;
  return 0;
}

static void *look(void *unused) {
  (void)unused;
  int first = a;
  int second = b;
  assert((first == 0 && second == 0) || (first == 1 && second == -1));
  return 0;
}

int main(void) {
  pthread_t setters[N], looker;
  for (int i = 0; i < N; i++) pthread_create(&setters[i], 0, set, 0);
  pthread_create(&looker, 0, look, 0);
  for (int i = 0; i < N; i++) pthread_join(setters[i], 0);
  pthread_join(looker, 0);
  return 0;
}
