/*
 * A reference count: the thread that drops the last reference frees the object.
 * G. E. Collins, A method for overlapping and erasure of lists, 1960; the fence is that of Boost's shared_ptr and of
 * C++.
 *
 * Dropping a reference is an atomic decrement, which drains the store buffer under TSO. A relaxed one under PSO
 * does not: an earlier store to the object reaches memory after the other thread has freed the object.
 */
#include "../fences.h"
#include <stdlib.h>

struct object {
  atomic_int references;
  int notes[2];
};

static void use(struct object *object, int me) {
  object->notes[me] = 1;
  STORE_STORE();
  if (add(object->references, -1) == 1) free(object);
}

static void *second(void *object) {
  use(object, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  struct object *object = calloc(1, sizeof *object);
  set(object->references, 2);
  pthread_create(&thread, 0, second, object);
  use(object, 0);
  pthread_join(thread, 0);
  return 0;
}
