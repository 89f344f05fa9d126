/* What the programs of this folder share: C11 atomics, threads, and the two calls of a futex. */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sleeps if the word still has this value. */
static void futex_wait(atomic_int *word, int value) { syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, 0); }
static void futex_wake(atomic_int *word, int count) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count); }

static pthread_t start(void *(*run)(void *)) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  return thread;
}
