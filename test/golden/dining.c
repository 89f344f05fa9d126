/* Six philosophers, each with a left fork. */
#include <pthread.h>
#define N 6
typedef struct { pthread_mutex_t m; int uses; } fork_t;
typedef struct { fork_t *left, *right; int meals; } seat_t;
static fork_t forks[N];
static seat_t seats[N];
static void take(fork_t *f) {
  pthread_mutex_lock(&f->m);
  f->uses++;
}
static void eat(seat_t *s) {
  take(s->left);
  take(s->right);
  s->meals++;
  pthread_mutex_unlock(&s->right->m);
  pthread_mutex_unlock(&s->left->m);
}
static void *philosopher(void *arg) {
  eat(arg);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    pthread_mutex_init(&forks[i].m, 0);
    seats[i] = (seat_t){&forks[i], &forks[(i + 1) % N], 0};
  }
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, philosopher, &seats[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
}
