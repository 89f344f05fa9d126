/* No loop: one call fills an array that another thread reads. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
struct {
  char pad[64];
  int head[400];
} q;
atomic_int done;
volatile unsigned long size = sizeof q.head;
static void *f(void *u) { return (char *)u + q.head[3] + atomic_load(&done); }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  memset(q.head, 0, size);
  atomic_store(&done, 1);
  pthread_join(t, 0);
  return 0;
}
