/* Each thread waits until it is not alone, and leaves again while it is. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int inside;
static void *visitor(void *a) {
  for (;;) {
    atomic_fetch_add(&inside, 1);
    if (atomic_load(&inside) > 1) break;
    atomic_fetch_sub(&inside, 1);
  }
  return a;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, visitor, 0);
  pthread_create(&q, 0, visitor, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
}
