/* expect: correct; same output always */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { SEATS = 2 };

static pthread_mutex_t forks[SEATS];
static int meals[SEATS];

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static void *philosopher(void *argument) {
  const int seat = (int)(intptr_t)argument, other = (seat + 1) % SEATS;
  pthread_mutex_lock(&forks[MIN(seat, other)]);
  pthread_mutex_lock(&forks[MAX(seat, other)]);
  meals[seat]++;
  usleep(10);
  pthread_mutex_unlock(&forks[MAX(seat, other)]);
  pthread_mutex_unlock(&forks[MIN(seat, other)]);
  return NULL;
}

int main(void) {
  pthread_t threads[SEATS];
  for (int i = 0; i < SEATS; ++i) pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < SEATS; ++i) pthread_create(threads + i, NULL, &philosopher, (void *)(intptr_t)i);
  for (int i = 0; i < SEATS; ++i) pthread_join(threads[i], NULL);
  for (int i = 0; i < SEATS; ++i) {
    printf("philosopher %d ate %d\n", i, meals[i]);
    pthread_mutex_destroy(&forks[i]);
  }
  return 0;
}
