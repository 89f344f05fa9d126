/*
 * Thread-specific data. Each thread keeps its values in private records. Which keys exist, and their destructors, is
 * shared, so reading it is a step: another thread may delete the key.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <pthread.h>

enum { MAX_KEYS = PTHREAD_KEYS_MAX };

struct key {
  int exists;
  void (*destructor)(void *);
};
static struct key keys[MAX_KEYS];
static int used;

/* An array of MAX_KEYS, once the thread has set a value. */
static __thread void **values;

static void (*destructor_of(int key))(void *) { return __atomic_load_n(&keys[key].destructor, __ATOMIC_RELAXED); }

static void **value_of(pthread_key_t key) {
  void **mine = __fencepost_glance_pointer(&values);
  return mine ? &mine[key] : 0;
}

static int any_left(int count) {
  for (int key = 0; key < count; key++) {
    if (__fencepost_glance_pointer(value_of((pthread_key_t)key)) != 0 && destructor_of(key) != 0) return 1;
  }
  return 0;
}

static void end_of_thread(void) {
  if (!__fencepost_glance_pointer(&values)) return;
  int count = __atomic_load_n(&used, __ATOMIC_RELAXED);
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && any_left(count); round++) {
    for (int key = 0; key < count; key++) {
      void **place = value_of((pthread_key_t)key);
      void *value = __fencepost_glance_pointer(place);
      void (*destructor)(void *) = value ? destructor_of(key) : 0;
      if (!destructor) continue;
      __fencepost_poke_pointer(place, 0);
      destructor(value);
    }
  }
}

/* One atomic step, so that two threads that create keys concurrently do not get the same one. */
int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  int number = __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);
  if (number >= MAX_KEYS) return EAGAIN;
  __atomic_store_n(&keys[number].destructor, destructor, __ATOMIC_RELEASE);
  __atomic_store_n(&keys[number].exists, 1, __ATOMIC_RELEASE);
  __fencepost_poke_pointer(&__fencepost_thread_end, (void *)end_of_thread);
  *key = (pthread_key_t)number;
  return 0;
}

static int exists(pthread_key_t key) { return key < MAX_KEYS && __atomic_load_n(&keys[key].exists, __ATOMIC_RELAXED); }

int pthread_key_delete(pthread_key_t key) {
  if (!exists(key)) return EINVAL;
  __atomic_store_n(&keys[key].exists, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&keys[key].destructor, 0, __ATOMIC_RELEASE);
  return 0;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (!exists(key)) return EINVAL;
  if (!__fencepost_glance_pointer(&values)) __fencepost_poke_pointer(&values, __fencepost_keep(MAX_KEYS * sizeof(void *)));
  __fencepost_poke_pointer(value_of(key), value);
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  if (!exists(key) || !__fencepost_glance_pointer(&values)) return 0;
  return __fencepost_glance_pointer(value_of(key));
}
