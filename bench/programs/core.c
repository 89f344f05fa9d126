/*
 * Two threads over shared words: loads, stores, some arithmetic and a branch between them, as in code with flags and
 * counters. Its results do not matter; nothing in it waits or can fail.
 */
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 200

int flag[2];
int turn;
int sum;
atomic_int ticket;

static int mix(int a, int b) { return (a * 31 + b) ^ (a >> 3); }

static void *first(void *unused) {
  (void)unused;
  int mine = 1;
  for (int i = 0; i < ROUNDS; i++) {
    flag[0] = i;
    turn = 1;
    if (flag[1] > i) mine += turn;
    else mine = mix(mine, sum);
    sum = mine;
    if ((i & 7) == 0) atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed);
  }
  return 0;
}

static void *second(void *unused) {
  (void)unused;
  int mine = 2;
  for (int i = 0; i < ROUNDS; i++) {
    flag[1] = i;
    turn = 0;
    if (flag[0] > i) mine -= turn;
    else mine = mix(sum, mine);
    sum = mine;
    if ((i & 7) == 0) atomic_store_explicit(&ticket, i, memory_order_release);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
