/*
 * Check, then act: both parts hold the lock, but it is released in between.
 * The pattern is from S. Lu and others, Learning from mistakes, 2008.
 *
 * Both threads can find a free seat, and both take it, under every model. WHOLE keeps the lock.
 */
#include "../fences.h"

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int seats = 1;

static void book(void) {
  pthread_mutex_lock(&lock);
  int is_free = seats > 0;
#ifndef WHOLE
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
#endif
  if (is_free) {
    assert(seats > 0);
    seats--;
  }
  pthread_mutex_unlock(&lock);
}

static void *second(void *unused) {
  (void)unused;
  book();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  book();
  pthread_join(thread, 0);
  return 0;
}
