/* expect: correct */
/*
 * A watchdog waits with deadlines for signs of life and gives up after some silence. Everything timed that POSIX has:
 * condition variables, mutexes, semaphores, read-write locks; and their results for invalid times.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define NSEC_PER_SEC 1000000000L
#define MAX_SILENCES 2

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t alive;
  unsigned beats;
  bool stopped;
} watchdog_t;

static watchdog_t dog;
static sem_t started;

static struct timespec in_milliseconds(long milliseconds) {
  struct timespec when;
  int status = clock_gettime(CLOCK_REALTIME, &when);
  assert(status == 0);
  when.tv_sec += milliseconds / 1000;
  when.tv_nsec += milliseconds % 1000 * 1000000L;
  if (when.tv_nsec >= NSEC_PER_SEC) {
    when.tv_sec++;
    when.tv_nsec -= NSEC_PER_SEC;
  }
  return when;
}

static int earlier(const struct timespec *left, const struct timespec *right) {
  return left->tv_sec != right->tv_sec ? left->tv_sec < right->tv_sec : left->tv_nsec < right->tv_nsec;
}

static void watchdog_init(watchdog_t *self) {
  pthread_mutexattr_t attributes;
  memset(self, 0, sizeof *self);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&self->lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_cond_init(&self->alive, NULL);
}

/* True if there was a sign of life before the deadline. */
static bool watch(watchdog_t *self, unsigned seen) {
  struct timespec deadline = in_milliseconds(1500);
  int status = 0;
  while (self->beats == seen && status == 0) status = pthread_cond_timedwait(&self->alive, &self->lock, &deadline);
  if (status == ETIMEDOUT) {
    struct timespec now = in_milliseconds(0);
    assert(!earlier(&now, &deadline));
  } else {
    assert(status == 0);
  }
  return self->beats != seen;
}

static void *guard(void *argument) {
  watchdog_t *self = argument;
  int silences = 0;
  sem_post(&started);
  pthread_mutex_lock(&self->lock);
  while (!self->stopped && silences < MAX_SILENCES) {
    unsigned seen = self->beats;
    if (watch(self, seen)) silences = 0;
    else silences++;
  }
  pthread_mutex_unlock(&self->lock);
  return argument;
}

static void beat(watchdog_t *self, bool last) {
  pthread_mutex_lock(&self->lock);
  self->beats++;
  self->stopped = last;
  pthread_cond_signal(&self->alive);
  pthread_mutex_unlock(&self->lock);
}

static void try_what_is_timed(void) {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  sem_t none;
  struct timespec soon = in_milliseconds(20), never = {.tv_sec = 0, .tv_nsec = NSEC_PER_SEC};
  assert(pthread_mutex_timedlock(&mutex, &never) == 0); /* it is free, so the time is not checked */
  assert(pthread_mutex_unlock(&mutex) == 0);
  assert(pthread_rwlock_timedwrlock(&lock, &soon) == 0);
  assert(pthread_rwlock_unlock(&lock) == 0);
  assert(pthread_rwlock_destroy(&lock) == 0);
  assert(sem_init(&none, 0, 0) == 0);
  errno = 0;
  assert(sem_timedwait(&none, &soon) == -1 && errno == ETIMEDOUT);
  struct timespec now = in_milliseconds(0);
  assert(!earlier(&now, &soon));
  assert(sem_timedwait(&none, &never) == -1 && errno == EINVAL);
  sem_destroy(&none);
  pthread_mutex_lock(&dog.lock);
  assert(pthread_mutex_lock(&dog.lock) == EDEADLK);
  assert(pthread_cond_timedwait(&dog.alive, &dog.lock, &never) == EINVAL);
  pthread_mutex_unlock(&dog.lock);
  assert(pthread_mutex_unlock(&dog.lock) == EPERM);
}

int main(void) {
  pthread_t thread;
  void *result;
  watchdog_init(&dog);
  sem_init(&started, 0, 0);
  try_what_is_timed();
  if (pthread_create(&thread, NULL, guard, &dog) != 0) return 1;
  while (sem_wait(&started) == -1 && errno == EINTR) continue;
  beat(&dog, false);
  beat(&dog, true);
  pthread_join(thread, &result);
  assert(result == &dog && dog.beats == 2);
  pthread_cond_destroy(&dog.alive);
  pthread_mutex_destroy(&dog.lock);
  printf("%u beats\n", dog.beats);
  return 0;
}
