/*
 * Linux's membarrier. A barrier is a full fence in every thread of the process, each at some time during the call. A
 * private one requires registration. Programs that never use the system call's number do not include this file.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <linux/membarrier.h>

/* Of the calling thread; only the machine writes it. */
static __thread struct __fencepost_fences fences;
static int is_registered;

static long fail(int error) {
  errno = error;
  return -1;
}

static long barrier(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  int is_missing = __fencepost_drain_first(&fences);
  while (is_missing) is_missing = __fencepost_drain(&fences);
  return 0;
}

long __fencepost_membarrier(va_list arguments) {
  int command = va_arg(arguments, int), flags = va_arg(arguments, int);
  if (flags != 0) return fail(EINVAL);
  switch (command) {
    case MEMBARRIER_CMD_QUERY:
      return MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_PRIVATE_EXPEDITED | MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
    case MEMBARRIER_CMD_GLOBAL: return barrier();
    case MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED:
      __atomic_store_n(&is_registered, 1, __ATOMIC_SEQ_CST);
      return 0;
    case MEMBARRIER_CMD_PRIVATE_EXPEDITED:
      return __fencepost_look(&is_registered) ? barrier() : fail(EPERM);
    default: __fencepost_not_modelled("this command of membarrier");
  }
}
