/* A driver: two threads, one operation each, and what must hold in the end. */
#include "spinlock.h"
#include <assert.h>
#include <pthread.h>

static struct spinlock lock;
static int counter;

static void *work(void *unused) {
  (void)unused;
  spin_lock(&lock);
  counter++;
  spin_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, work, NULL);
  work(NULL);
  pthread_join(other, NULL);
  assert(counter == 2);
}
