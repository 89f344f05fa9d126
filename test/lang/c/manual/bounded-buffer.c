/* expect: correct; same output always */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CAPACITY 2
#define CHECK(call)                                                  \
  do {                                                               \
    int error_ = (call);                                             \
    if (error_ != 0) {                                               \
      fprintf(stderr, "%s failed: %d\n", #call, error_);             \
      exit(EXIT_FAILURE);                                            \
    }                                                                \
  } while (0)

typedef struct buffer {
  int items[CAPACITY];
  unsigned head, count;
  int closed;
  pthread_mutex_t lock;
  pthread_cond_t not_full, not_empty;
} buffer_t;

static void buffer_init(buffer_t *b) {
  b->head = b->count = 0;
  b->closed = 0;
  CHECK(pthread_mutex_init(&b->lock, NULL));
  CHECK(pthread_cond_init(&b->not_full, NULL));
  CHECK(pthread_cond_init(&b->not_empty, NULL));
}

static void buffer_destroy(buffer_t *b) {
  CHECK(pthread_cond_destroy(&b->not_empty));
  CHECK(pthread_cond_destroy(&b->not_full));
  CHECK(pthread_mutex_destroy(&b->lock));
}

static void buffer_put(buffer_t *b, int item) {
  CHECK(pthread_mutex_lock(&b->lock));
  while (b->count == CAPACITY) CHECK(pthread_cond_wait(&b->not_full, &b->lock));
  b->items[(b->head + b->count++) % CAPACITY] = item;
  CHECK(pthread_cond_signal(&b->not_empty));
  CHECK(pthread_mutex_unlock(&b->lock));
}

/* 0 at the end */
static int buffer_get(buffer_t *b, int *item) {
  CHECK(pthread_mutex_lock(&b->lock));
  while (b->count == 0 && !b->closed) CHECK(pthread_cond_wait(&b->not_empty, &b->lock));
  int any = b->count > 0;
  if (any) {
    *item = b->items[b->head];
    b->head = (b->head + 1) % CAPACITY;
    b->count--;
    CHECK(pthread_cond_signal(&b->not_full));
  }
  CHECK(pthread_mutex_unlock(&b->lock));
  return any;
}

static void buffer_close(buffer_t *b) {
  CHECK(pthread_mutex_lock(&b->lock));
  b->closed = 1;
  CHECK(pthread_cond_broadcast(&b->not_empty));
  CHECK(pthread_mutex_unlock(&b->lock));
}

static buffer_t buffer;

static void *consume(void *argument) {
  long sum = 0;
  int item;
  (void)argument;
  while (buffer_get(&buffer, &item)) sum = sum * 10 + item;
  return (void *)sum;
}

int main(int argc, char *argv[]) {
  int count = argc > 1 ? atoi(argv[1]) : 3;
  pthread_t consumer;
  void *sum;

  buffer_init(&buffer);
  CHECK(pthread_create(&consumer, NULL, consume, NULL));
  for (int i = 1; i <= count; i++) buffer_put(&buffer, i);
  buffer_close(&buffer);
  CHECK(pthread_join(consumer, &sum));
  buffer_destroy(&buffer);

  printf("consumed %ld\n", (long)sum);
  return (long)sum == 123 ? EXIT_SUCCESS : EXIT_FAILURE;
}
