/* expect: sc correct, tso assertion, pso assertion */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static volatile bool wants[2];
static volatile int turn;
static int inside;

/* One attempt: gives up instead of spinning. */
static bool enter(int me) {
  const int other = 1 - me;
  wants[me] = true;
  turn = other;
  return !(wants[other] && turn == other);
}

static void leave(int me) { wants[me] = false; }

static void *thread(void *argument) {
  const int me = argument != NULL;
  if (enter(me)) {
    inside++;
    assert(inside == 1);
    inside--;
    leave(me);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int dummy;
  pthread_create(&a, NULL, thread, NULL);
  pthread_create(&b, NULL, thread, &dummy);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
