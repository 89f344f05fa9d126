/* expect: correct; same output always */
/* Threads that ask themselves to stop with signals, and one that holds them back for a while. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop;
static volatile sig_atomic_t reloads;
static _Thread_local int rounds;
static atomic_int finished;

static void on_stop(int signal) {
  assert(signal == SIGTERM);
  stop = 1;
}

static void on_reload(int signal, siginfo_t *info, void *context) {
  (void)context;
  assert(signal == info->si_signo && info->si_pid == getpid());
  reloads++;
  if (reloads == 1) raise(SIGUSR1);
}

static void *work(void *argument) {
  int limit = *(const int *)argument;
  while (rounds < limit) rounds++;
  atomic_fetch_add(&finished, 1);
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  return sigismember(&mask, SIGTERM) ? argument : NULL;
}

static void on_abort(int signal) {
  printf("aborted by %d, %d finished\n", signal, atomic_load(&finished));
  fflush(stdout);
  _exit(EXIT_SUCCESS);
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_reload;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGUSR1, &action, NULL) != 0) perror("sigaction");
  if (signal(SIGTERM, on_stop) == SIG_ERR) perror("signal");
  printf("%d\n", signal(SIGKILL, on_stop) == SIG_ERR && errno == EINVAL);

  raise(SIGUSR1);
  printf("%d reloads\n", (int)reloads);
  raise(SIGCHLD);

  sigset_t block, old, waiting;
  sigemptyset(&block);
  sigaddset(&block, SIGTERM);
  sigprocmask(SIG_BLOCK, &block, &old);
  kill(getpid(), SIGTERM);
  sigpending(&waiting);
  printf("stop %d, pending %d\n", (int)stop, sigismember(&waiting, SIGTERM));

  pthread_t threads[2];
  int limits[2] = {1, 3};
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &limits[i]);
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(threads[i], &result);
    printf("thread %d: %s\n", i, result == &limits[i] ? "blocks it too" : "does not");
  }

  sigprocmask(SIG_SETMASK, &old, NULL);
  printf("stop %d\n", (int)stop);
  signal(SIGTERM, SIG_IGN);
  raise(SIGTERM);
  printf("%s\n", strsignal(SIGTERM));
  signal(SIGABRT, on_abort);
  abort();
}
