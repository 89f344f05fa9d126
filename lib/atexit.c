/* Exit handlers, the last registered first. The lists are shared, so a lock protects them. */
#include <fencepost/library.h>
#include <stdlib.h>

enum { MAX_HANDLERS = 32 };

struct handlers {
  int count;
  void (*functions[MAX_HANDLERS])(void);
};
static struct handlers normal, quick;
static int lock;

static int add(struct handlers *list, void (*function)(void)) {
  int result = -1;
  __fencepost_lock(&lock);
  if (list->count < MAX_HANDLERS) {
    list->functions[list->count] = function;
    list->count++;
    result = 0;
  }
  __fencepost_unlock(&lock);
  return result;
}

static void (*take(struct handlers *list))(void) {
  void (*function)(void) = 0;
  __fencepost_lock(&lock);
  if (list->count > 0) {
    list->count--;
    function = list->functions[list->count];
  }
  __fencepost_unlock(&lock);
  return function;
}

/* One at a time: a handler may register another one, which then runs next. */
static void run(struct handlers *list) {
  for (void (*function)(void) = take(list); function; function = take(list)) function();
}

/* Also called when main returns. */
void __fencepost_run_exit_handlers(void);
void __fencepost_run_exit_handlers(void) {
  run(&normal);
  __fencepost_run_destructors();
}

/* For a program with destructors: they run even if nothing is registered. */
void __fencepost_use_exit_handlers(void);
void __fencepost_use_exit_handlers(void) {
  __atomic_store_n(&__fencepost_program_end, __fencepost_run_exit_handlers, __ATOMIC_SEQ_CST);
}

int atexit(void (*function)(void)) {
  __atomic_store_n(&__fencepost_program_end, __fencepost_run_exit_handlers, __ATOMIC_SEQ_CST);
  return add(&normal, function);
}

int at_quick_exit(void (*function)(void)) { return add(&quick, function); }

void quick_exit(int status) {
  run(&quick);
  __fencepost_exit(status);
}
