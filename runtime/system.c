/* What the runtime needs from the system: nothing here is a cancellation point, allocates or is one of our hooks. */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* glibc also has older condition variables, for programs from before 2003, and returns those by default. */
#define CONDITIONS "GLIBC_2.3.2"

static void *next_function(void *_Atomic *kept, const char *name) {
  void *function = atomic_load_explicit(kept, memory_order_acquire);
  if (function) return function;
  /* The lookup may allocate, which is not an event of the program. */
  struct self *self = known_self();
  int inside = self ? self->inside : 0;
  if (self) self->inside = 1;
  if (!strncmp(name, "pthread_cond_", 13)) function = dlvsym(RTLD_NEXT, name, CONDITIONS);
  if (!function) function = dlsym(RTLD_NEXT, name);
  if (self) self->inside = inside;
  if (!function) {
    fprintf(stderr, "fencepost: the program calls %s, which no library has\n", name);
    abort();
  }
  atomic_store_explicit(kept, function, memory_order_release);
  return function;
}

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

static void yield(void) { syscall(SYS_sched_yield); }

static void nap(long nanoseconds) {
  struct timespec time = {0, nanoseconds};
  int error = errno;
  syscall(SYS_nanosleep, &time, NULL);
  errno = error;
}

/* Sleeps while the word has this value; may return early. */
static void wait_while(_Atomic uint32_t *word, uint32_t value) {
  int error = errno;
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
  errno = error;
}

static void wake_all(_Atomic uint32_t *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0); }

/* Zeroed memory that is never freed; NULL if there is none. */
static void *reserve(size_t size) {
  void *memory = (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
  return memory == MAP_FAILED ? NULL : memory;
}

/* A small lock for rare uses. */
typedef _Atomic int latch;

static void close_latch(latch *latch) {
  while (atomic_exchange_explicit(latch, 1, memory_order_acquire)) yield();
}

static void open_latch(latch *latch) { atomic_store_explicit(latch, 0, memory_order_release); }

static uint64_t milliseconds(clockid_t clock) {
  struct timespec time;
  if (clock_gettime(clock, &time)) return 0;
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}
