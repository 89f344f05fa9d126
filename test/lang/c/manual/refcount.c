/* expect: correct */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct object object;
struct object {
  atomic_int references;
  void (*destroy)(object *);
  char payload[4];
};

static int destroyed;

static void destroy(object *o) {
  assert(memcmp(o->payload, "ab", 3) == 0 || memcmp(o->payload, "cb", 3) == 0);
  destroyed++;
  free(o);
}

static object *create(void) {
  object *o = aligned_alloc(64, 64);
  if (!o) abort();
  atomic_init(&o->references, 1);
  o->destroy = destroy;
  strcpy(o->payload, "ab");
  return o;
}

static object *retain(object *o) {
  atomic_fetch_add_explicit(&o->references, 1, memory_order_relaxed);
  return o;
}

static void release(object *o) {
  if (atomic_fetch_sub_explicit(&o->references, 1, memory_order_release) == 1) {
    atomic_thread_fence(memory_order_acquire);
    o->destroy(o);
  }
}

static void *user(void *argument) {
  object *o = argument;
  o->payload[0] = 'c';
  release(o);
  return NULL;
}

int main(void) {
  pthread_t thread;
  object *o = create();
  pthread_create(&thread, NULL, user, retain(o));
  release(o);
  pthread_join(thread, NULL);
  assert(destroyed == 1);
  return 0;
}
