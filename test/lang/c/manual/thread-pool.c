/* expect: correct; same output always */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*job_fn)(int);

struct job {
  job_fn run;
  int input;
  int *output;
  struct job *next;
};

struct pool_ops;
struct pool {
  const struct pool_ops *ops;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  struct job *first, **last;
  bool stopping;
  pthread_t *threads;
  size_t size;
};

struct pool_ops {
  void (*start)(struct pool *, size_t);
  void (*submit)(struct pool *, job_fn, int, int *);
  void (*stop)(struct pool *);
};

static struct job *take(struct pool *pool) {
  struct job *job = pool->first;
  if (job != NULL) {
    pool->first = job->next;
    if (pool->first == NULL) pool->last = &pool->first;
  }
  return job;
}

static void *work(void *argument) {
  struct pool *pool = argument;
  for (;;) {
    pthread_mutex_lock(&pool->lock);
    while (pool->first == NULL && !pool->stopping) pthread_cond_wait(&pool->wake, &pool->lock);
    struct job *job = take(pool);
    pthread_mutex_unlock(&pool->lock);
    if (job == NULL) return NULL;
    *job->output = job->run(job->input);
    free(job);
  }
}

static void start(struct pool *pool, size_t size) {
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pool->first = NULL;
  pool->last = &pool->first;
  pool->stopping = false;
  pool->size = size;
  pool->threads = calloc(size, sizeof *pool->threads);
  assert(pool->threads != NULL);
  for (size_t i = 0; i < size; i++) {
    if (pthread_create(&pool->threads[i], NULL, work, pool) != 0) abort();
  }
}

static void submit(struct pool *pool, job_fn run, int input, int *output) {
  struct job *job = malloc(sizeof *job);
  assert(job);
  *job = (struct job){.run = run, .input = input, .output = output, .next = NULL};
  pthread_mutex_lock(&pool->lock);
  *pool->last = job;
  pool->last = &job->next;
  pthread_cond_signal(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
}

static void stop(struct pool *pool) {
  pthread_mutex_lock(&pool->lock);
  pool->stopping = true;
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->lock);
  for (size_t i = 0; i < pool->size; i++) pthread_join(pool->threads[i], NULL);
  free(pool->threads);
  pthread_cond_destroy(&pool->wake);
  pthread_mutex_destroy(&pool->lock);
}

static const struct pool_ops ops = {start, submit, stop};

static int square(int x) { return x * x; }
static int twice(int x) { return x + x; }

int main(void) {
  static struct pool pool = {.ops = &ops};
  static int results[2];
  pool.ops->start(&pool, 1);
  pool.ops->submit(&pool, square, 7, &results[0]);
  pool.ops->submit(&pool, twice, 21, &results[1]);
  pool.ops->stop(&pool);
  printf("%d %d\n", results[0], results[1]);
  assert(results[0] == 49 && results[1] == 42);
  return 0;
}
