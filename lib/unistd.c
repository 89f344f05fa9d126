#include <errno.h>
#include <fencepost/library.h>
#include <stdio.h>
#include <unistd.h>

unsigned sleep(unsigned seconds) {
  __fencepost_cancellation_point();
  __fencepost_sleep(seconds * 1000000000LL);
  __fencepost_yield();
  return 0;
}

/*
 * The signal could end the program at any time: such an execution is a prefix of one that we explore. With a handler,
 * it could do more. Only the last alarm counts; its remaining time is unknown, so all of it is returned.
 */
unsigned alarm(unsigned seconds) {
  static int is_set;
  if (seconds != 0 && __fencepost_has_handlers) __fencepost_not_modelled("alarm in a program that handles signals");
  int before = __fencepost_glance(&__fencepost_threaded) ? __atomic_exchange_n(&is_set, (int)seconds, __ATOMIC_RELAXED)
                                                         : __fencepost_glance(&is_set);
  if (!__fencepost_glance(&__fencepost_threaded)) __fencepost_poke(&is_set, (int)seconds);
  return (unsigned)before;
}

int usleep(useconds_t microseconds) {
  __fencepost_cancellation_point();
  __fencepost_sleep(microseconds * 1000LL);
  __fencepost_yield();
  return 0;
}

ssize_t write(int file, const void *buffer, size_t size) {
  __fencepost_cancellation_point();
  if (file != STDOUT_FILENO && file != STDERR_FILENO) {
    if (__fencepost_write_file) return __fencepost_write_file(file, buffer, size);
    errno = EBADF;
    return -1;
  }
  const char *bytes = buffer;
  for (size_t i = 0; i < size; i++) printf("%c", bytes[i]);
  return (ssize_t)size;
}

int close(int file) {
  __fencepost_cancellation_point();
  if (file >= STDIN_FILENO && file <= STDERR_FILENO) __fencepost_not_modelled("closing a standard stream");
  if (__fencepost_close_file) return __fencepost_close_file(file);
  errno = EBADF;
  return -1;
}

enum { PROCESS = 1000 };

pid_t getpid(void) { return PROCESS; }

pid_t getppid(void) { return 1; }

/* The first thread has its process's number, as on Linux. */
pid_t gettid(void) { return PROCESS - 1 + __fencepost_self(); }

long sysconf(int name) {
  switch (name) {
    case _SC_PAGESIZE: return 4096;
    case _SC_CLK_TCK: return 100;
    case _SC_THREADS: return 200809L;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN: return 2;
    default: errno = EINVAL; return -1;
  }
}

int isatty(int file) {
  (void)file;
  errno = ENOTTY;
  return 0;
}

void _exit(int status) { __fencepost_exit(status); }
