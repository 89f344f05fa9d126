/* expect: correct; same output always */
/* A pool with the lists of sys/queue.h: jobs wait in a TAILQ, done ones go to an SLIST; workers are pinned. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/param.h>
#include <sys/queue.h>
#include <sysexits.h>

struct job {
  int number;
  int cost;
  TAILQ_ENTRY(job) waiting;
  SLIST_ENTRY(job) done;
};

static TAILQ_HEAD(queue, job) queue = TAILQ_HEAD_INITIALIZER(queue);
static SLIST_HEAD(, job) done = SLIST_HEAD_INITIALIZER(done);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int spent, dearest;

static struct job *take(void) {
  pthread_mutex_lock(&lock);
  struct job *job = TAILQ_FIRST(&queue);
  if (job) TAILQ_REMOVE(&queue, job, waiting);
  pthread_mutex_unlock(&lock);
  return job;
}

static void *work(void *argument) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(*(int *)argument, &set);
  if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0) exit(EX_OSERR);
  for (struct job *job; (job = take());) {
    pthread_mutex_lock(&lock);
    SLIST_INSERT_HEAD(&done, job, done);
    spent += job->cost;
    dearest = MAX(dearest, job->cost);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    struct job *job = malloc(sizeof *job);
    *job = (struct job){.number = i, .cost = (i + 1) * (i + 2)};
    if (i == 1) TAILQ_INSERT_HEAD(&queue, job, waiting);
    else TAILQ_INSERT_TAIL(&queue, job, waiting);
  }
  struct job *job;
  TAILQ_FOREACH(job, &queue, waiting) printf("job %d\n", job->number);
  TAILQ_FOREACH_REVERSE(job, &queue, queue, waiting) printf("back %d\n", job->number);

  pthread_t threads[2];
  int cpus[2] = {0, 0};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &cpus[i]);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  int count = 0;
  SLIST_FOREACH(job, &done, done) count++;
  printf("%d done, %d spent, %d at most, empty: %d\n", count, spent, dearest, TAILQ_EMPTY(&queue));
  while (!SLIST_EMPTY(&done)) {
    job = SLIST_FIRST(&done);
    SLIST_REMOVE_HEAD(&done, done);
    free(job);
  }
  return EX_OK;
}
