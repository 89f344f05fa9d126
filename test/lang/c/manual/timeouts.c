/* expect: correct */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

typedef void (*callback_t)(void *context, int status);

struct waiter {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool ready;
  callback_t callback;
  void *context;
};

static struct timespec deadline_in(long milliseconds) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_nsec += milliseconds * 1000000L;
  while (t.tv_nsec >= 1000000000L) {
    t.tv_sec++;
    t.tv_nsec -= 1000000000L;
  }
  return t;
}

static void wait_for(struct waiter *w, long milliseconds) {
  const struct timespec deadline = deadline_in(milliseconds);
  int status = 0;
  pthread_mutex_lock(&w->mutex);
  while (!w->ready && status == 0) status = pthread_cond_timedwait(&w->condition, &w->mutex, &deadline);
  if (w->ready) status = 0;
  pthread_mutex_unlock(&w->mutex);
  w->callback(w->context, status);
}

static void note(void *context, int status) {
  assert(status == 0 || status == ETIMEDOUT);
  *(int *)context = status;
}

static void *worker(void *argument) {
  struct waiter *w = argument;
  nanosleep(&(struct timespec){0, 1000}, NULL);
  pthread_mutex_lock(&w->mutex);
  w->ready = true;
  pthread_cond_signal(&w->condition);
  pthread_mutex_unlock(&w->mutex);
  return NULL;
}

int main(void) {
  static int status = -1;
  static struct waiter w = {
      .mutex = PTHREAD_MUTEX_INITIALIZER, .condition = PTHREAD_COND_INITIALIZER, .callback = note, .context = &status};
  pthread_t thread;
  time_t start = time(NULL);
  pthread_create(&thread, NULL, worker, &w);
  wait_for(&w, 50);
  pthread_join(thread, NULL);
  printf("%s\n", status == 0 ? "in time" : "too late");
  struct timespec deadline = deadline_in(1);
  assert(pthread_mutex_timedlock(&w.mutex, &deadline) == 0);
  pthread_mutex_unlock(&w.mutex);
  assert(difftime(time(NULL), start) >= 0.0);
  return 0;
}
