// All of log/fencepost-log.h from C++: compiled and run by macros.test.ts.
#define FENCEPOST_LOG_IMPLEMENTATION
#include "fencepost-log.h"
#include <cstdio>
#include <ctime>
static std::atomic<int> flag[2];
static int plain; static volatile long vol;
static int *ptr;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static bool ready;
static void *run(void *) {
  FENCEPOST_LOCK(&m);
  while (!FENCEPOST_LOAD(&ready, plain)) FENCEPOST_WAIT(&c, &m);
  FENCEPOST_UNLOCK(&m);
  FENCEPOST_SEM_WAIT(&sem);
  FENCEPOST_WRLOCK(&rw);
  FENCEPOST_STORE(&plain, 2, plain);
  FENCEPOST_RWUNLOCK(&rw);
  return nullptr;
}
int main() {
  pthread_t t;
  if (fencepost_log_open("run.log")) return 1;
  sem_init(&sem, 0, 0);
  FENCEPOST_CREATE(&t, nullptr, run, nullptr);
  FENCEPOST_STORE(&flag[0], 1, relaxed);
  FENCEPOST_FENCE(seq_cst);
  int x = FENCEPOST_LOAD(&flag[1], acquire);
  FENCEPOST_STORE(&vol, 5, volatile);
  FENCEPOST_STORE(&ptr, &x, plain);
  int expected = 0;
  bool ok = FENCEPOST_COMPARE_EXCHANGE(&flag[1], &expected, 3, acq_rel);
  (void)FENCEPOST_FETCH_ADD(&flag[1], 1, seq_cst);
  FENCEPOST_LOCK(&m);
  FENCEPOST_STORE(&ready, true, plain);
  if (FENCEPOST_TRYLOCK(&m) == 0) return 2;
  FENCEPOST_BROADCAST(&c);
  FENCEPOST_UNLOCK(&m);
  FENCEPOST_RDLOCK(&rw);
  if (FENCEPOST_TRYWRLOCK(&rw) == 0) return 3;
  FENCEPOST_RWUNLOCK(&rw);
  FENCEPOST_SEM_POST(&sem);
  struct timespec past = {1, 0};
  FENCEPOST_LOCK(&m);
  if (FENCEPOST_TIMEDWAIT(&c, &m, &past) != ETIMEDOUT) return 4;
  FENCEPOST_UNLOCK(&m);
  FENCEPOST_JOIN(t, nullptr);
  if (FENCEPOST_SEM_TRYWAIT(&sem) == 0) return 5;
  return ok && fencepost_log_close() == 0 ? 0 : 1;
}
