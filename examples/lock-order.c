/*
 * Lock order: two threads take the same two locks in opposite orders. Each can hold the lock that the other waits for.
 *
 *   fencepost check examples/lock-order.c                     sc: violation (deadlock), and so under every model
 *   fencepost check examples/lock-order.c --strategy bounded  found with one preemption
 */
#include <pthread.h>

pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t to = PTHREAD_MUTEX_INITIALIZER;
int balance_from = 10, balance_to = 0;

static void *pay(void *unused) {
  (void)unused;
  pthread_mutex_lock(&from);
  pthread_mutex_lock(&to);
  balance_from -= 5;
  balance_to += 5;
  pthread_mutex_unlock(&to);
  pthread_mutex_unlock(&from);
  return 0;
}

static void *pay_back(void *unused) {
  (void)unused;
  pthread_mutex_lock(&to);
  pthread_mutex_lock(&from);
  balance_to -= 5;
  balance_from += 5;
  pthread_mutex_unlock(&from);
  pthread_mutex_unlock(&to);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, pay, 0);
  pthread_create(&b, 0, pay_back, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
