/*
 * A driver: a small program that uses the code to be checked, with two or three threads and a few operations each. It
 * terminates, and asserts what must hold. Fencepost tries all its executions:
 *
 *   npx fencepost check driver.c
 */
#include "ring.h"
#include <assert.h>
#include <pthread.h>

static struct ring ring;

static void *produce(void *unused) {
  (void)unused;
  for (int value = 1; value <= 3; value++)
    while (!ring_push(&ring, value)) {}
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  for (int expected = 1; expected <= 3; expected++) {
    int value;
    while (!ring_pop(&ring, &value)) {}
    assert(value == expected);
  }
  pthread_join(producer, NULL);
}
