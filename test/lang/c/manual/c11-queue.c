/* expect: correct; same output always */
/*
 * C11 only: a bounded queue with mtx_t and cnd_t, closed by its producer; consumers wait with a deadline and try again;
 * thread-specific counters with a destructor; call_once; the results of threads.
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#define CAPACITY 2u
#define ITEMS 3
#define CONSUMERS 2

typedef struct queue queue_t;
typedef void visitor_t(int item, void *context);

struct queue {
  mtx_t lock;
  cnd_t not_empty, not_full;
  bool closed;
  size_t head, size;
  int items[CAPACITY];
};

static once_flag once = ONCE_FLAG_INIT;
static tss_t counter_key;
static atomic_int counted = ATOMIC_VAR_INIT(0);
static _Thread_local char name[16];

static void count_at_end(void *counter) {
  atomic_fetch_add_explicit(&counted, *(int *)counter, memory_order_relaxed);
  free(counter);
}

static void make_key(void) {
  int status = tss_create(&counter_key, count_at_end);
  assert(status == thrd_success);
  (void)status;
}

static queue_t *queue_create(void) {
  queue_t *queue = malloc(sizeof *queue);
  if (queue == NULL) return NULL;
  queue->closed = false;
  queue->head = queue->size = 0;
  if (mtx_init(&queue->lock, mtx_timed) != thrd_success) abort();
  if (cnd_init(&queue->not_empty) != thrd_success || cnd_init(&queue->not_full) != thrd_success) abort();
  return queue;
}

static void queue_destroy(queue_t *queue) {
  cnd_destroy(&queue->not_full);
  cnd_destroy(&queue->not_empty);
  mtx_destroy(&queue->lock);
  free(queue);
}

static void queue_push(queue_t *queue, int item) {
  mtx_lock(&queue->lock);
  while (queue->size == CAPACITY) cnd_wait(&queue->not_full, &queue->lock);
  queue->items[(queue->head + queue->size++) % CAPACITY] = item;
  cnd_signal(&queue->not_empty);
  mtx_unlock(&queue->lock);
}

static void queue_close(queue_t *queue) {
  mtx_lock(&queue->lock);
  queue->closed = true;
  cnd_broadcast(&queue->not_empty);
  mtx_unlock(&queue->lock);
}

static bool queue_pop(queue_t *queue, int *item) {
  bool found = false;
  mtx_lock(&queue->lock);
  while (queue->size == 0 && !queue->closed) cnd_wait(&queue->not_empty, &queue->lock);
  if (queue->size > 0) {
    *item = queue->items[queue->head];
    queue->head = (queue->head + 1) % CAPACITY;
    queue->size--;
    found = true;
    cnd_signal(&queue->not_full);
  }
  mtx_unlock(&queue->lock);
  return found;
}

static int drain(queue_t *queue, visitor_t *visit, void *context) {
  int item, count = 0;
  for (; queue_pop(queue, &item); count++) visit(item, context);
  return count;
}

static void add_item(int item, void *context) { *(long *)context += item; }

static int consumer(void *argument) {
  queue_t *queue = argument;
  long sum = 0;
  call_once(&once, make_key);
  int *counter = malloc(sizeof *counter);
  assert(counter != NULL && tss_get(counter_key) == NULL);
  if (tss_set(counter_key, counter) != thrd_success) return -1;
  *counter = drain(queue, add_item, &sum);
  snprintf(name, sizeof name, "sum %ld", sum);
  return strncmp(name, "sum ", 4) == 0 ? (int)sum : -1;
}

int main(void) {
  struct timespec before, after;
  if (timespec_get(&before, TIME_UTC) != TIME_UTC) return EXIT_FAILURE;
  queue_t *queue = queue_create();
  assert(queue != NULL);
  thrd_t consumers[CONSUMERS];
  for (size_t i = 0; i < sizeof consumers / sizeof *consumers; i++)
    if (thrd_create(&consumers[i], consumer, queue) != thrd_success) return EXIT_FAILURE;
  for (int i = 1; i <= ITEMS; i++) queue_push(queue, i * i);
  queue_close(queue);
  int total = 0;
  for (size_t i = 0; i < sizeof consumers / sizeof *consumers; i++) {
    int sum;
    thrd_join(consumers[i], &sum);
    assert(sum >= 0);
    total += sum;
  }
  queue_destroy(queue);
  timespec_get(&after, TIME_UTC);
  assert(difftime(after.tv_sec, before.tv_sec) >= 0);
  printf("total %d of %d items\n", total, atomic_load(&counted));
  return EXIT_SUCCESS;
}
