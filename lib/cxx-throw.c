/* Throwing. Only programs that can throw have this file; src/frontend/llvm/lower/may-throw.ts relies on it. */
#include <fencepost/exception.h>

void __fencepost_raise(struct flight *flight) { __fencepost_fly(flight); }

/* At the end of main, and of what runs before it. */
void __fencepost_check_uncaught(void) {
  if (__fencepost_is_throwing()) __fencepost_uncaught();
}

/* Messages for the next exception that the thread throws. */
static __thread const char *next_uncaught, *next_leaves;

void __fencepost_note_throw(const char *uncaught, const char *leaves) {
  __fencepost_poke_pointer(&next_uncaught, uncaught);
  __fencepost_poke_pointer(&next_leaves, leaves);
}

static struct flight *make(struct thrown *thrown, const char *uncaught, const char *leaves) {
  struct flight *flight = __fencepost_keep(sizeof *flight);
  __fencepost_poke_pointer(&flight->thrown, thrown);
  __fencepost_poke_pointer(&flight->object, thrown + 1);
  __fencepost_poke_pointer(&flight->uncaught, uncaught);
  __fencepost_poke_pointer(&flight->leaves, leaves);
  return flight;
}

void *__cxa_allocate_exception(size_t size) {
  struct thrown *thrown = __fencepost_malloc(sizeof *thrown + size);
  __fencepost_poke(&thrown->is_shared, 0);
  return thrown + 1;
}

void __cxa_free_exception(void *object) { __fencepost_free((struct thrown *)object - 1); }

static struct thrown *prepare(void *object, const struct type *type, void (*destructor)(void *)) {
  struct thrown *thrown = (struct thrown *)object - 1;
  __fencepost_poke_pointer(&thrown->type, type);
  __fencepost_poke_pointer(&thrown->destructor, (void *)destructor);
  return thrown;
}

void __cxa_throw(void *object, const struct type *type, void (*destructor)(void *)) {
  const char *uncaught = __fencepost_glance_pointer(&next_uncaught), *leaves = __fencepost_glance_pointer(&next_leaves);
  __fencepost_raise(make(prepare(object, type, destructor), uncaught, leaves));
}

void __cxa_rethrow(void) {
  struct flight *flight = __fencepost_handled();
  if (!flight) __fencepost_end_by("throw without an operand, while no exception is handled");
  __fencepost_poke(&flight->handlers, -__fencepost_glance(&flight->handlers));
  __fencepost_raise(flight);
}

void *__fencepost_current_exception(void) {
  struct flight *flight = __fencepost_handled();
  if (!flight) return 0;
  struct thrown *thrown = __fencepost_glance_pointer(&flight->thrown);
  if (__fencepost_glance(&thrown->is_shared)) {
    __fencepost_hold_exception(thrown);
  } else {
    __fencepost_poke(&thrown->is_shared, 1);
    __atomic_store_n(&thrown->owners, 2, __ATOMIC_RELAXED);
  }
  return thrown;
}

void __fencepost_hold_exception(void *thrown) {
  if (thrown) __atomic_fetch_add(&((struct thrown *)thrown)->owners, 1, __ATOMIC_RELAXED);
}

void __fencepost_drop_exception(void *thrown) {
  if (thrown) __fencepost_release_thrown(thrown);
}

void __fencepost_throw_held(void *thrown) {
  if (!thrown) __fencepost_misuse("rethrow_exception of no exception");
  __fencepost_hold_exception(thrown);
  const char *uncaught = "what rethrow_exception throws is never caught";
  __fencepost_raise(make(thrown, uncaught, "what rethrow_exception throws leaves a function that is noexcept"));
}
