/* Exceptions of C++, for the files of lib/ that throw and catch them. */
#ifndef FENCEPOST_EXCEPTION_H
#define FENCEPOST_EXCEPTION_H

#include <fencepost/library.h>
#include <stddef.h>

/* The description of a type. */
struct type {
  void **table;
  const char *name;
};

/*
 * Header before the exception itself; the program's code knows the exception by it. Its size is the ABI's, since clang
 * adds it to get at a pointer that is caught by reference.
 */
struct thrown {
  const struct type *type;
  void (*destructor)(void *);
  /* Whether exception_ptrs to it exist: then the owners are counted. Never set by two threads. */
  int is_shared;
  int owners;
  char rest[32 - 2 * sizeof(void *) - 2 * sizeof(int)];
} __attribute__((__aligned__(16)));
_Static_assert(sizeof(struct thrown) == 32, "the size of _Unwind_Exception");

/* One throw of it. */
struct flight {
  struct thrown *thrown;
  /* The object as the catching type sees it. */
  void *object;
  int handlers;
  struct flight *next;
  /* The flight for which the thread was at a landing pad before. */
  struct flight *below;
  /* Messages if it is not caught, and if it reaches a function that must not throw. */
  const char *uncaught, *leaves;
};

extern __thread struct flight *__fencepost_pending;

/* Whether one type is caught as the other; then the object becomes that part of the exception, or a pointer's value. */
int __fencepost_converts(const struct type *thrown, const struct type *wanted, void **object);
/* Begins the flight: an error if it will not be caught. */
void __fencepost_fly(struct flight *flight);
/* The newest flight being handled, or null. */
struct flight *__fencepost_handled(void);
void __fencepost_release_thrown(struct thrown *thrown);
/* std::terminate, for a reason. */
__attribute__((__noreturn__)) void __fencepost_end_by(const char *reason);

/* The front-end adds calls of these to the program (src/frontend/llvm/lower/unwinding.ts). */
extern const char __fencepost_any;
int __fencepost_is_throwing(void);
int __fencepost_enter(const void **types);
void __fencepost_leave(int old);
struct thrown *__fencepost_land(void);
int __fencepost_select(struct thrown *thrown, int selector, const void *type, int id);
int __fencepost_passes(int selector, int passes, int id);
void __fencepost_resume(struct thrown *thrown);
void __fencepost_uncaught(void);
void __fencepost_check_uncaught(void);
void __fencepost_note_throw(const char *uncaught, const char *leaves);
void __fencepost_leaves_noexcept(struct thrown *thrown);
void __fencepost_leaves_once(void);
int __fencepost_guard(void);
void __fencepost_unguard(int old);

/* An exception is pending after this. */
void __fencepost_raise(struct flight *flight);

/* The ABI. */
void *__cxa_allocate_exception(size_t size);
void __cxa_free_exception(void *object);
void __cxa_throw(void *object, const struct type *type, void (*destructor)(void *));
void __cxa_rethrow(void);
void *__cxa_begin_catch(struct thrown *thrown);
void *__cxa_get_exception_ptr(struct thrown *thrown);
void __cxa_end_catch(void);
int _ZSt19uncaught_exceptionsv(void);
_Bool _ZSt18uncaught_exceptionv(void);

/* std::exception_ptr (include/c++/__exception/exception_ptr.h). */
void *__fencepost_current_exception(void);
void __fencepost_hold_exception(void *thrown);
void __fencepost_drop_exception(void *thrown);
void __fencepost_throw_held(void *thrown);

#endif
