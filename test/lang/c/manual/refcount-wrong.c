/* expect: use after free */
#include <pthread.h>
#include <stdlib.h>

struct object {
  pthread_mutex_t lock;
  int references;
};

static struct object *retain(struct object *o) {
  pthread_mutex_lock(&o->lock);
  o->references++;
  pthread_mutex_unlock(&o->lock);
  return o;
}

static void release(struct object *o) {
  int left;
  pthread_mutex_lock(&o->lock);
  left = --o->references;
  pthread_mutex_unlock(&o->lock);
  if (left == 0) {
    pthread_mutex_destroy(&o->lock);
    free(o);
  }
}

static void *user(void *argument) {
  struct object *o = retain(argument); /* too late: the other thread may have released it */
  release(o);
  return NULL;
}

int main(void) {
  pthread_t thread;
  struct object *o = malloc(sizeof *o);
  if (o == NULL) return EXIT_FAILURE;
  pthread_mutex_init(&o->lock, NULL);
  o->references = 1;
  pthread_create(&thread, NULL, user, o);
  release(o);
  pthread_join(thread, NULL);
  return EXIT_SUCCESS;
}
