#include <fencepost/library.h>
#include <stdlib.h>

void (*__fencepost_program_end)(void);

void exit(int status) {
  void (*end)(void) = __atomic_load_n(&__fencepost_program_end, __ATOMIC_RELAXED);
  if (end) end();
  __fencepost_exit(status);
}

void _Exit(int status) { __fencepost_exit(status); }
