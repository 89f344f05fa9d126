/* expect: correct; same output always */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_spinlock_t lock;
static unsigned long counter;
static pthread_key_t name_key;

static void forget(void *name) {
  pthread_spin_lock(&lock);
  counter += 10;
  pthread_spin_unlock(&lock);
  free(name);
}

static void *increment(void *argument) {
  char *name = malloc(16);
  snprintf(name, 16, "thread-%d", *(int *)argument);
  pthread_setspecific(name_key, name);
  if (pthread_spin_trylock(&lock) != 0) {
    sched_yield();
    pthread_spin_lock(&lock);
  }
  counter++;
  pthread_spin_unlock(&lock);
  return pthread_getspecific(name_key) == name ? NULL : argument;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {1, 2};
  void *result;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 18);
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_key_create(&name_key, forget);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], &attributes, increment, &numbers[i]);
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], &result);
    if (result != NULL) abort();
  }
  pthread_attr_destroy(&attributes);
  pthread_key_delete(name_key);
  pthread_spin_destroy(&lock);
  printf("%lu\n", counter);
  return counter == 22 ? 0 : 1;
}
