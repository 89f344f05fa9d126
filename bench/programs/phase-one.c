/*
 * A long run for `bench -- relaxer`: four threads go over a table repeatedly, each with its own stride, and record what
 * they find under a lock.
 */
#include <pthread.h>

enum { SIZE = 4096, THREADS = 4 };

volatile int table[SIZE];
volatile int version[SIZE];
int found;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
  unsigned step = (unsigned)(long)argument * 2 + 1, at = step;
  int sum = 0;
  for (int i = 0; i < ROUNDS; i++) {
    at = (at * 5 + step) % SIZE;
    int before = version[at];
    table[at] = table[(at + 1) % SIZE] + 1;
    version[at] = before + 1;
    if (version[(at + step) % SIZE] > before) sum += table[(at + step) % SIZE];
    if (i % 64 == 0) {
      pthread_mutex_lock(&lock);
      found += sum;
      pthread_mutex_unlock(&lock);
    }
  }
  return 0;
}

int main(void) {
  pthread_t threads[THREADS];
  for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  return 0;
}
