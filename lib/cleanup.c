/* Cleanup handlers, which a thread runs if it ends by pthread_exit. Each thread has its own invisible list. */
#include <fencepost/library.h>
#include <pthread.h>

struct private_cleanup {
  void (*routine)(void *);
  void *argument;
  struct private_cleanup *next;
};

static __thread struct private_cleanup *handlers;

static void pop(int execute) {
  struct private_cleanup *top = __fencepost_glance_pointer(&handlers);
  __fencepost_poke_pointer(&handlers, top->next);
  if (execute) top->routine(top->argument);
}

static void run_all(void) {
  while (__fencepost_glance_pointer(&handlers)) pop(1);
}

void __fencepost_push_cleanup(void (*routine)(void *), void *argument) {
  struct private_cleanup *top = __fencepost_keep(sizeof *top);
  top->routine = routine;
  top->argument = argument;
  top->next = __fencepost_glance_pointer(&handlers);
  __fencepost_poke_pointer(&handlers, top);
  __fencepost_poke_pointer(&__fencepost_cleanup, (void *)run_all);
}

void __fencepost_pop_cleanup(int execute) { pop(execute); }
