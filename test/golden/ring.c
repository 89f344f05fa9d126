/* A log of records in a ring: the writer publishes its head too early under PSO. Over 500 steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define CAP 8
#define WIDTH 8
typedef struct { int payload[WIDTH]; int sum; } record_t;
typedef struct { record_t slots[CAP]; atomic_int head, tail; } ring_t;
static ring_t ring;
static int table[300];
static int load_int(atomic_int *target) { return atomic_load_explicit(target, memory_order_acquire); }
static void store_int(atomic_int *target, int value) { atomic_store_explicit(target, value, memory_order_relaxed); }
static void record_fill(record_t *r, int seed) {
  r->sum = 0;
  for (int i = 0; i < WIDTH; i++) r->payload[i] = seed + i;
  for (int i = 0; i < WIDTH; i++) r->sum += seed + i;
}
static int ring_push(ring_t *q, int seed) {
  int h = load_int(&q->head);
  if (h - load_int(&q->tail) == CAP) return 0;
  record_fill(&q->slots[h % CAP], seed);
  store_int(&q->head, h + 1);
  return 1;
}
static int ring_pop(ring_t *q, int *out) {
  int t = load_int(&q->tail);
  int h = load_int(&q->head);
  if (h == t) return 0;
  record_t *r = &q->slots[t % CAP];
  int sum = 0;
  for (int i = 0; i < WIDTH; i++) sum += r->payload[i];
  *out = sum;
  store_int(&q->tail, t + 1);
  assert(sum == r->sum);
  return 1;
}
static void *producer(void *arg) {
  ring_push(arg, 10);
  return 0;
}
static void *consumer(void *arg) {
  int got = 0;
  ring_pop(arg, &got);
  return 0;
}
int main(void) {
  for (int i = 0; i < 300; i++) table[i] = i;
  for (int i = 0; i < CAP; i++)
    for (int k = 0; k < WIDTH; k++) ring.slots[i].payload[k] = table[i];
  pthread_t threads[2];
  pthread_create(&threads[0], 0, producer, &ring);
  pthread_create(&threads[1], 0, consumer, &ring);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
