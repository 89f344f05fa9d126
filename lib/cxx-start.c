/*
 * What C++ does before, after and around main: static variables of functions, which the first thread to get there
 * initialises while others wait; destructors of static and thread-local variables, the newest first.
 */
#include <fencepost/library.h>
#include <stdlib.h>

/* A guard's first byte, which the program reads, is 1 once the variable is initialised; the second word is ours. */
enum { NOBODY, RUNNING, DONE };

int __cxa_guard_acquire(int *guard);
int __cxa_guard_acquire(int *guard) {
  for (;;) {
    int old = __fencepost_try_eq_xchg_acquire(&guard[1], NOBODY, RUNNING);
    if (old == NOBODY) return 1;
    if (old == DONE) return 0;
    if (__fencepost_await_ne_none_acquire(&guard[1], RUNNING, 0) == DONE) return 0;
  }
}

void __cxa_guard_release(int *guard);
void __cxa_guard_release(int *guard) {
  __atomic_store_n((char *)guard, 1, __ATOMIC_RELEASE);
  __atomic_exchange_n(&guard[1], DONE, __ATOMIC_RELEASE);
}

/* An exception ended the initialisation: the next thread tries again. */
void __cxa_guard_abort(int *guard);
void __cxa_guard_abort(int *guard) { __atomic_exchange_n(&guard[1], NOBODY, __ATOMIC_RELEASE); }

struct ending {
  void (*destructor)(void *);
  void *object;
  struct ending *older;
};

/* For static variables. Any thread may add one; joins order those that run at the end of the program before it. */
static struct ending *endings;
static int lock;

static struct ending *make(void (*destructor)(void *), void *object) {
  struct ending *ending = __fencepost_keep(sizeof *ending);
  __fencepost_poke_pointer(&ending->destructor, (void *)destructor);
  __fencepost_poke_pointer(&ending->object, object);
  return ending;
}

static struct ending *take(void) {
  __fencepost_lock(&lock);
  struct ending *ending = __fencepost_glance_pointer(&endings);
  if (ending) __fencepost_poke_pointer(&endings, __fencepost_glance_pointer(&ending->older));
  __fencepost_unlock(&lock);
  return ending;
}

static void run(struct ending *ending) {
  void (*destructor)(void *) = (void (*)(void *))__fencepost_glance_pointer(&ending->destructor);
  destructor(__fencepost_glance_pointer(&ending->object));
}

static void end_program(void) {
  for (struct ending *ending = take(); ending; ending = take()) run(ending);
}

/* One handler runs all of them: those that were registered in between run in another order than they should. */
int __cxa_atexit(void (*destructor)(void *), void *object, void *handle);
int __cxa_atexit(void (*destructor)(void *), void *object, void *handle) {
  (void)handle;
  struct ending *ending = make(destructor, object);
  __fencepost_lock(&lock);
  struct ending *older = __fencepost_glance_pointer(&endings);
  __fencepost_poke_pointer(&ending->older, older);
  __fencepost_poke_pointer(&endings, ending);
  __fencepost_unlock(&lock);
  if (!older) atexit(end_program);
  return 0;
}

/* For thread-local variables. */
static __thread struct ending *mine;

void __fencepost_end_cxx_thread(void) {
  for (struct ending *ending; (ending = __fencepost_glance_pointer(&mine));) {
    __fencepost_poke_pointer(&mine, __fencepost_glance_pointer(&ending->older));
    run(ending);
  }
}

int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *handle);
int __cxa_thread_atexit(void (*destructor)(void *), void *object, void *handle) {
  (void)handle;
  struct ending *ending = make(destructor, object);
  __fencepost_poke_pointer(&ending->older, __fencepost_glance_pointer(&mine));
  __fencepost_poke_pointer(&mine, ending);
  return 0;
}

void *__dso_handle = &__dso_handle;
