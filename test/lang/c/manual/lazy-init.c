/* expect: sc correct, tso correct, pso assertion */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct config {
  int threshold;
  const char *name;
};

static struct config storage, *volatile instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Double-checked locking, without the barrier that it needs. */
static struct config *get_config(void) {
  if (instance == NULL) {
    pthread_mutex_lock(&lock);
    if (instance == NULL) {
      storage.threshold = 42;
      instance = &storage;
    }
    pthread_mutex_unlock(&lock);
  }
  return instance;
}

static void *user(void *result) {
  *(int *)result = get_config()->threshold;
  return result;
}

int main(void) {
  static int seen[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, user, &seen[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%d %d\n", seen[0], seen[1]);
  assert(seen[0] == 42 && seen[1] == 42);
  return 0;
}
