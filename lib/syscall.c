/* System calls by number. The arguments of the modelled ones are pointers and ints, which is how they are read. */
#include <fencepost/library.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  long result;
  switch (number) {
    case SYS_gettid: result = gettid(); break;
    case SYS_getpid: result = getpid(); break;
    case SYS_sched_yield: result = sched_yield(); break;
    case SYS_futex: result = __fencepost_futex(arguments); break;
    case SYS_membarrier:
      if (!__fencepost_membarrier) __fencepost_not_modelled("membarrier by a number that is not a constant");
      result = __fencepost_membarrier(arguments);
      break;
    default: __fencepost_not_modelled("this system call");
  }
  va_end(arguments);
  return result;
}
