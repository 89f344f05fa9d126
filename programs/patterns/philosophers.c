/*
 * The dining philosophers, three of them.
 * E. W. Dijkstra, Hierarchical ordering of sequential processes, 1971.
 *
 * Everybody takes the left fork first; when all have one, nobody gets the second: a deadlock under every model. With
 * LEFT_HANDED the last one begins with the right fork.
 */
#include "../fences.h"

enum { SEATS = 3 };

pthread_mutex_t fork_at[SEATS];

static void eat(int seat) {
  int first = seat, second = (seat + 1) % SEATS;
#ifdef LEFT_HANDED
  if (second < first) {
    first = second;
    second = seat;
  }
#endif
  pthread_mutex_lock(&fork_at[first]);
  pthread_mutex_lock(&fork_at[second]);
  pthread_mutex_unlock(&fork_at[second]);
  pthread_mutex_unlock(&fork_at[first]);
}

static void *one(void *unused) {
  (void)unused;
  eat(1);
  return 0;
}

static void *two(void *unused) {
  (void)unused;
  eat(2);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  eat(0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
