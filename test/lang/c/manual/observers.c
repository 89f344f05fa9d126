/* expect: correct; same output always */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* A recursive lock: observers may call back into the subject. */
typedef struct subject subject;
typedef void (*observer_fn)(subject *, int value, void *data);

struct subject {
  pthread_mutex_t lock;
  struct {
    observer_fn call;
    void *data;
  } observers[2];
  int observer_count;
  int value;
};

static void subject_init(subject *s) {
  pthread_mutexattr_t attributes;
  memset(s, 0, sizeof *s);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&s->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

static void subscribe(subject *s, observer_fn call, void *data) {
  pthread_mutex_lock(&s->lock);
  s->observers[s->observer_count].call = call;
  s->observers[s->observer_count++].data = data;
  pthread_mutex_unlock(&s->lock);
}

static void set_value(subject *s, int value) {
  pthread_mutex_lock(&s->lock);
  s->value = value;
  for (int i = 0; i < s->observer_count; i++) s->observers[i].call(s, value, s->observers[i].data);
  pthread_mutex_unlock(&s->lock);
}

static int get_value(subject *s) {
  pthread_mutex_lock(&s->lock);
  int value = s->value;
  pthread_mutex_unlock(&s->lock);
  return value;
}

static void add_up(subject *s, int value, void *data) {
  assert(get_value(s) == value);
  *(int *)data += value;
}

static subject shared;

static void *change(void *argument) {
  set_value(&shared, *(int *)argument);
  return NULL;
}

int main(void) {
  static int total, one = 1, two = 2;
  pthread_t thread;
  subject_init(&shared);
  subscribe(&shared, add_up, &total);
  pthread_create(&thread, NULL, change, &one);
  change(&two);
  pthread_join(thread, NULL);
  printf("total %d\n", total);
  assert(total == 3);
  return pthread_mutex_destroy(&shared.lock);
}
