/* The loop polls for what never comes, and each iteration changes something that others see. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag, tries;
static void *f(void *u) { return (char *)u + tries; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  while (!flag) tries++;
  return 0;
}
