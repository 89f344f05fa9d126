/* What is to be done at the end, last registered first. The lists are shared, so registering is a step. */
#include <fencepost/library.h>
#include <stdlib.h>

enum { MAX_HANDLERS = 32 };

struct handlers {
  int count;
  void (*functions[MAX_HANDLERS])(void);
};
static struct handlers normal, quick;

static int add(struct handlers *list, void (*function)(void)) {
  int number = __atomic_fetch_add(&list->count, 1, __ATOMIC_RELAXED);
  if (number >= MAX_HANDLERS) return -1;
  __fencepost_poke(&list->functions[number], (int)function);
  return 0;
}

/* One at a time: a handler may register another, which is then the next. */
static void run(struct handlers *list) {
  while (__fencepost_glance(&list->count) > 0) {
    int number = __atomic_sub_fetch(&list->count, 1, __ATOMIC_RELAXED);
    void (*function)(void) = (void (*)(void))__fencepost_glance(&list->functions[number]);
    if (function) function();
  }
}

/* Also called when main returns. */
void __fencepost_run_exit_handlers(void);
void __fencepost_run_exit_handlers(void) { run(&normal); }

int atexit(void (*function)(void)) {
  __fencepost_poke(&__fencepost_program_end, (int)__fencepost_run_exit_handlers);
  return add(&normal, function);
}

int at_quick_exit(void (*function)(void)) { return add(&quick, function); }

void quick_exit(int status) {
  run(&quick);
  __fencepost_exit(status);
}
