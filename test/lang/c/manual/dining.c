/* expect: deadlock */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { SEATS = 2 };

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals[SEATS];

static inline int right_of(int seat) { return (seat + 1) % SEATS; }

static void eat(int seat) {
  meals[seat]++;
  usleep(10);
}

static void *philosopher(void *argument) {
  const int seat = (int)(intptr_t)argument;
  pthread_mutex_lock(&forks[seat]);
  pthread_mutex_lock(&forks[right_of(seat)]);
  eat(seat);
  pthread_mutex_unlock(&forks[right_of(seat)]);
  pthread_mutex_unlock(&forks[seat]);
  return NULL;
}

int main(void) {
  pthread_t threads[SEATS];
  for (int i = 0; i < SEATS; ++i) pthread_create(threads + i, NULL, &philosopher, (void *)(intptr_t)i);
  for (int i = 0; i < SEATS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < SEATS; ++i) printf("philosopher %d ate %d\n", i, meals[i]);
  return 0;
}
