/*
 * Exceptions in flight: which clause catches one, and what happens then. The program's code checks after each call
 * whether one is pending (src/frontend/llvm/lower/unwinding.ts). All records are private to the thread, except the
 * number of owners of a shared exception.
 */
#include <fencepost/exception.h>

__thread struct flight *__fencepost_pending;
/* Flights at landing pads, the newest first. Code there is done with its own flight before an older one is needed. */
static __thread struct flight *landed;
/* Flights being handled, the newest first. */
static __thread struct flight *caught;
/* The number thrown and not yet caught. */
static __thread int in_flight;

/* The types that are caught somewhere, the innermost last. */
enum { DEPTH = 128 };
static __thread const void **handlers[DEPTH];
static __thread int depth;

const char __fencepost_any = 0;

int __fencepost_is_throwing(void) { return __fencepost_glance(&__fencepost_pending); }

int __fencepost_enter(const void **types) {
  int old = __fencepost_glance(&depth);
  /* The lower half is enough: all addresses fit an int. */
  if (old < DEPTH) __fencepost_idle_poke(&handlers[old], (int)(long)types);
  __fencepost_idle_poke(&depth, old + 1);
  return old;
}

void __fencepost_leave(int old) { __fencepost_idle_poke(&depth, old); }

/* Adjusts the object to the type that catches it. */
static int catches(const struct type *thrown, const void *wanted, void **object) {
  if (wanted == &__fencepost_any) return 1;
  return __fencepost_converts(thrown, wanted, object);
}

static int catches_thrown(struct thrown *thrown, const void *wanted, void **object) {
  *object = thrown + 1;
  return catches(__fencepost_glance_pointer(&thrown->type), wanted, object);
}

/* Whether it will be caught; also true if there are too many handlers to know. */
static int is_caught(struct flight *flight) {
  int count = __fencepost_glance(&depth);
  if (count > DEPTH) return 1;
  while (count-- > 0) {
    const void **types = __fencepost_glance_pointer(&handlers[count]);
    for (const void *type; (type = __fencepost_glance_pointer(types)); types++) {
      void *object;
      if (catches_thrown(__fencepost_glance_pointer(&flight->thrown), type, &object)) return 1;
    }
  }
  return 0;
}

void __fencepost_fly(struct flight *flight) {
  __fencepost_poke(&in_flight, __fencepost_glance(&in_flight) + 1);
  if (!is_caught(flight)) __fencepost_end_by(__fencepost_glance_pointer(&flight->uncaught));
  __fencepost_poke_pointer(&__fencepost_pending, flight);
}

void __fencepost_uncaught(void) {
  struct flight *flight = __fencepost_glance_pointer(&__fencepost_pending);
  __fencepost_poke_pointer(&__fencepost_pending, 0);
  __fencepost_end_by(__fencepost_glance_pointer(&flight->uncaught));
}

void __fencepost_leaves_noexcept(struct thrown *thrown) {
  (void)thrown;
  struct flight *flight = __fencepost_glance_pointer(&landed);
  __fencepost_end_by(__fencepost_glance_pointer(&flight->leaves));
}

/* The next caller would have to try again. */
void __fencepost_leaves_once(void) {
  __fencepost_not_modelled("an exception that leaves a function called by pthread_once; use std::call_once");
}

/* At a landing pad. */
struct thrown *__fencepost_land(void) {
  struct flight *flight = __fencepost_glance_pointer(&__fencepost_pending);
  __fencepost_poke_pointer(&__fencepost_pending, 0);
  __fencepost_poke_pointer(&flight->below, __fencepost_glance_pointer(&landed));
  __fencepost_poke_pointer(&landed, flight);
  return __fencepost_glance_pointer(&flight->thrown);
}

/* It leaves the pad. */
static struct flight *take_off(void) {
  struct flight *flight = __fencepost_glance_pointer(&landed);
  __fencepost_poke_pointer(&landed, __fencepost_glance_pointer(&flight->below));
  return flight;
}

/* The selector so far; if there is none, the type's, if the type catches. */
int __fencepost_select(struct thrown *thrown, int selector, const void *type, int id) {
  if (selector) return selector;
  void *object;
  if (!catches_thrown(thrown, type, &object)) return 0;
  struct flight *flight = __fencepost_glance_pointer(&landed);
  __fencepost_poke_pointer(&flight->object, object);
  return id;
}

/* The same for a list of types that may pass. */
int __fencepost_passes(int selector, int passes, int id) { return selector ? selector : passes ? 0 : id; }

void __fencepost_resume(struct thrown *thrown) {
  (void)thrown;
  __fencepost_poke_pointer(&__fencepost_pending, take_off());
}

/* The counts of handlers are as in the ABI: negative while the exception is thrown again. */
void *__cxa_begin_catch(struct thrown *thrown) {
  (void)thrown;
  struct flight *flight = take_off();
  int count = __fencepost_glance(&flight->handlers);
  __fencepost_poke(&flight->handlers, (count < 0 ? -count : count) + 1);
  if (__fencepost_glance_pointer(&caught) != (void *)flight) {
    __fencepost_poke_pointer(&flight->next, __fencepost_glance_pointer(&caught));
    __fencepost_poke_pointer(&caught, flight);
  }
  __fencepost_poke(&in_flight, __fencepost_glance(&in_flight) - 1);
  return __fencepost_glance_pointer(&flight->object);
}

void *__cxa_get_exception_ptr(struct thrown *thrown) {
  (void)thrown;
  struct flight *flight = __fencepost_glance_pointer(&landed);
  return __fencepost_glance_pointer(&flight->object);
}

void __cxa_end_catch(void) {
  struct flight *flight = __fencepost_glance_pointer(&caught);
  if (!flight) return;
  int count = __fencepost_glance(&flight->handlers);
  int left = count < 0 ? count + 1 : count - 1;
  __fencepost_poke(&flight->handlers, left);
  if (left) return;
  __fencepost_poke_pointer(&caught, __fencepost_glance_pointer(&flight->next));
  if (count > 0) __fencepost_release_thrown(__fencepost_glance_pointer(&flight->thrown));
}

struct flight *__fencepost_handled(void) { return __fencepost_glance_pointer(&caught); }

/* One owner less: the last one destroys it. */
void __fencepost_release_thrown(struct thrown *thrown) {
  if (__fencepost_glance(&thrown->is_shared) && __atomic_fetch_sub(&thrown->owners, 1, __ATOMIC_ACQ_REL) != 1) return;
  void (*destructor)(void *) = (void (*)(void *))__fencepost_glance_pointer(&thrown->destructor);
  if (destructor) destructor(thrown + 1);
  __fencepost_free(thrown);
}

int _ZSt19uncaught_exceptionsv(void) { return __fencepost_glance(&in_flight); }
_Bool _ZSt18uncaught_exceptionv(void) { return __fencepost_glance(&in_flight) > 0; }
