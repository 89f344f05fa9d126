/* All that the runtime stands in front of, in one program: compiled and run by programs.test.ts. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <sys/wait.h>
#define CHECK(c) do { if (!(c)) { fprintf(stderr, "line %d: %s\n", __LINE__, #c); exit(1); } } while (0)
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static pthread_spinlock_t spin;
static pthread_barrier_t bar;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int turn, total, inits, spun, shared[100];
static void init(void) { inits++; }
static void *worker(void *p) {
  long me = (long)p;
  pthread_once(&once, init);
  for (int round = 0; round < 20; round++) {
    pthread_mutex_lock(&m);
    while (turn % 3 != me) pthread_cond_wait(&c, &m);
    turn++;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    sem_wait(&sem);
    total++;
    sem_post(&sem);
    pthread_rwlock_rdlock(&rw);
    CHECK(shared[round] <= 3);
    pthread_rwlock_unlock(&rw);
    pthread_rwlock_wrlock(&rw);
    shared[round]++;
    pthread_rwlock_unlock(&rw);
    pthread_spin_lock(&spin);
    spun++;
    pthread_spin_unlock(&spin);
    int r = pthread_barrier_wait(&bar);
    CHECK(r == 0 || r == PTHREAD_BARRIER_SERIAL_THREAD);
    char *s = malloc(50 + round);
    memset(s, me, 50 + round);
    s = realloc(s, 200);
    CHECK(s[10] == me);
    free(s);
  }
  return p;
}
static mtx_t cm; static cnd_t cc; static int ready;
static int c11(void *p) { mtx_lock(&cm); ready = 1; cnd_signal(&cc); mtx_unlock(&cm); return *(int *)p; }
static volatile sig_atomic_t got;
static int handled;
static void on(int s) { got = s; handled++; }
static void *idle(void *p) { (void)p; for (;;) pause(); }
static void *cancelled(void *p) { (void)p; pthread_mutex_lock(&m); pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &m); for (;;) pthread_cond_wait(&c, &m); pthread_cleanup_pop(1); return 0; }
static void *dies(void *p) { total = 7; pthread_exit(p); }
int main(int argc, char **argv) {
  pthread_t t[3];
  sem_init(&sem, 0, 1); pthread_spin_init(&spin, 0); pthread_barrier_init(&bar, 0, 3);
  for (long i = 0; i < 3; i++) CHECK(!pthread_create(&t[i], 0, worker, (void *)i));
  for (long i = 0; i < 3; i++) { void *r; CHECK(!pthread_join(t[i], &r)); CHECK(r == (void *)i); }
  CHECK(turn == 60 && total == 60 && inits == 1 && spun == 60 && shared[5] == 3);
  pthread_barrier_destroy(&bar);
  /* timeouts, trylock, error checking */
  struct timespec ts; clock_gettime(CLOCK_REALTIME, &ts); ts.tv_nsec += 2000000; if (ts.tv_nsec >= 1000000000) { ts.tv_nsec -= 1000000000; ts.tv_sec++; }
  pthread_mutex_lock(&m); CHECK(pthread_cond_timedwait(&c, &m, &ts) == ETIMEDOUT);
  CHECK(pthread_mutex_trylock(&m) == EBUSY); pthread_mutex_unlock(&m);
  pthread_mutexattr_t at; pthread_mutex_t e; pthread_mutexattr_init(&at); pthread_mutexattr_settype(&at, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&e, &at); CHECK(pthread_mutex_unlock(&e) == EPERM); pthread_mutex_lock(&e); CHECK(pthread_mutex_lock(&e) == EDEADLK); pthread_mutex_unlock(&e);
  pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_destroy(&e); pthread_mutex_init(&e, &at);
  pthread_mutex_lock(&e); pthread_mutex_lock(&e); pthread_mutex_unlock(&e); pthread_mutex_unlock(&e);
  /* C11 */
  mtx_init(&cm, mtx_plain); cnd_init(&cc); thrd_t th; int seven = 7, res;
  mtx_lock(&cm); CHECK(thrd_create(&th, c11, &seven) == thrd_success); while (!ready) cnd_wait(&cc, &cm); mtx_unlock(&cm); thrd_join(th, &res); CHECK(res == 7);
  /* cancelled and dying threads */
  pthread_create(&t[0], 0, cancelled, 0); usleep(2000); pthread_cancel(t[0]); pthread_join(t[0], 0);
  pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
  pthread_create(&t[0], 0, dies, 0); pthread_join(t[0], 0); CHECK(total == 7);
  pthread_attr_t da; pthread_attr_init(&da); pthread_attr_setdetachstate(&da, PTHREAD_CREATE_DETACHED);
  for (int i = 0; i < 20; i++) CHECK(!pthread_create(&t[1], &da, dies, 0));
  pthread_create(&t[2], 0, idle, 0);
  for (int i = 0; i < 300; i++) { pthread_create(&t[0], 0, dies, 0); pthread_join(t[0], 0); }
  /* signals */
  signal(SIGUSR1, on); raise(SIGUSR1); CHECK(got == SIGUSR1 && handled == 1);
  struct sigaction old; sigaction(SIGUSR1, 0, &old); CHECK(old.sa_handler == on);
  pthread_kill(t[2], SIGUSR1); while (handled != 2) usleep(100);
  /* fork, with a lock held */
  pthread_mutex_lock(&m);
  pid_t child = fork();
  if (!child) { total = 9; pthread_mutex_unlock(&m); pthread_create(&t[0], 0, dies, 0); pthread_join(t[0], 0); _exit(total == 7 ? 3 : 4); }
  pthread_mutex_unlock(&m);
  int st; waitpid(child, &st, 0); CHECK(WIFEXITED(st) && WEXITSTATUS(st) == 3);
  puts("fine"); fflush(stdout);
  if (argc > 1 && !strcmp(argv[1], "abort")) abort();
  if (argc > 1 && !strcmp(argv[1], "exit")) _exit(0);
  if (argc > 1 && !strcmp(argv[1], "kill")) raise(SIGKILL);
  if (argc > 1 && !strcmp(argv[1], "segv")) *(volatile int *)8 = 1;
  return 0;
}
