/* Six threads fill tables and count; one counts without the lock. Over 500 steps. */
#include <assert.h>
#include <pthread.h>
#define N 6
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int tables[N][80];
static int done;
static void fill(int *table, int n) {
  for (int i = 0; i < 80; i++) table[i] = n * i;
}
static void count(void) { done = done + 1; }
static void *careful(void *arg) {
  int me = (int)(long)arg;
  fill(tables[me], me);
  pthread_mutex_lock(&lock);
  count();
  pthread_mutex_unlock(&lock);
  return 0;
}
static void *careless(void *arg) {
  int me = (int)(long)arg;
  fill(tables[me], me);
  count();
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) {
    void *(*start)(void *) = i == 2 ? careless : careful;
    pthread_create(&t[i], 0, start, (void *)i);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], 0);
  }
  int all = done;
  assert(all == N);
}
