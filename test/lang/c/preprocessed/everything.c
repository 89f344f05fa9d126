#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/types.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static pthread_key_t key;
static sem_t sem;
static mtx_t mtx;
static atomic_int counter;
static int ready, destroyed;

static void destroy(void *p) { destroyed++; free(p); }
static void init(void) { pthread_key_create(&key, destroy); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void *worker(void *arg) {
  pthread_once(&once, init);
  pthread_setspecific(key, strdup("value"));
  pthread_mutex_lock(&m);
  ready++;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_rwlock_rdlock(&rw);
  pthread_rwlock_unlock(&rw);
  pthread_mutex_lock(&r);
  pthread_mutex_lock(&r);
  pthread_mutex_unlock(&r);
  pthread_mutex_unlock(&r);
  pthread_spin_lock(&spin);
  atomic_fetch_add(&counter, 1);
  pthread_spin_unlock(&spin);
  sem_post(&sem);
  pthread_barrier_wait(&barrier);
  errno = EINTR;
  return arg;
}

int main(int argc, char **argv) {
  pthread_t t;
  pthread_attr_t attr;
  void *result;
  char buffer[64];
  int numbers[] = {3, 1, 2}, two = 2;
  pthread_attr_init(&attr);
  pthread_attr_setstacksize(&attr, 1 << 16);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  sem_init(&sem, 0, 0);
  mtx_init(&mtx, mtx_recursive);
  mtx_lock(&mtx); mtx_lock(&mtx); mtx_unlock(&mtx); mtx_unlock(&mtx);
  if (pthread_create(&t, &attr, worker, &two) != 0) { perror("create"); exit(EXIT_FAILURE); }
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  sem_wait(&sem);
  pthread_barrier_wait(&barrier);
  pthread_join(t, &result);
  assert(result == &two && counter == 1 && destroyed == 1);
  qsort(numbers, 3, sizeof numbers[0], compare);
  int *found = bsearch(&two, numbers, 3, sizeof numbers[0], compare);
  assert(found == &numbers[1]);
  assert(atoi("42") == 42 && strtol("0x1f", NULL, 0) == 31 && toupper('a') == 'A' && isdigit('7') && isspace(' ') && tolower('Q') == 'q' && !isalpha('1'));
  snprintf(buffer, sizeof buffer, "%s %d %.3f", "text", 7, sqrt(2.0));
  fprintf(stdout, "%s\n", buffer);
  fprintf(stderr, "errno %d %s\n", errno, strerror(EINVAL));
  puts("done"); putchar('x'); putc('\n', stdout); fputs("bye\n", stdout);
  printf("%" PRId64 " %zu\n", (int64_t)5, sizeof(int));
  assert(strcmp(buffer, "text 7 1.414") == 0 && isnan(NAN) && !isinf(1.0) && fabs(-1.5) == 1.5);
  pthread_mutex_destroy(&m);
  return 0;
}
