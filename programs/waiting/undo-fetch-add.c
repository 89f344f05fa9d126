/* A gate: each thread registers, leaves again while the gate is shut, and tries again. Rounds that fail undo themselves. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
/* With -D NEVER, what the loop waits for never comes. */
#ifdef NEVER
#define PUBLISH(store) (void)0
#else
#define PUBLISH(store) store
#endif
static atomic_int open_, inside; static int value;
static void *visitor(void *a) {
  for (;;) {
    atomic_fetch_add(&inside, 1);
    if (atomic_load(&open_)) break;
    atomic_fetch_sub(&inside, 1);
  }
  assert(value == 1);
  return a;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, visitor, 0);
  value = 1;
  PUBLISH(atomic_store(&open_, 1));
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  assert(inside == N);
}
