/*
 * The operations of the machine, as the library in lib/ uses them. Calls of these functions become operations of the
 * program form (src/program/ir.ts); nothing defines them. Programs include <fencepost.h> instead.
 *
 * Mutexes and condition variables are known by their address alone: the library never looks inside the user's types,
 * so a file preprocessed against another libc works with them too.
 */
#ifndef FENCEPOST_MACHINE_H
#define FENCEPOST_MACHINE_H

/* Threads. The handle is never 0 for a created thread, and `self` gives the same one. */
int __fencepost_spawn(void *(*function)(void *), void *argument);
void *__fencepost_join(int handle);
int __fencepost_self(void);
__attribute__((__noreturn__)) void __fencepost_thread_exit(void *result);
void __fencepost_yield(void);

/* Mutexes and condition variables. */
void __fencepost_lock(void *mutex);
/* 1 if the lock was taken, 0 if it was held. */
int __fencepost_trylock(void *mutex);
void __fencepost_unlock(void *mutex);
void __fencepost_wait(void *condition, void *mutex);
void __fencepost_signal(void *condition);
void __fencepost_broadcast(void *condition);

/* Between these no other thread takes a step. */
void __fencepost_atomic_begin(void);
void __fencepost_atomic_end(void);

/* Fresh memory is zero; its address is never used again. `free` of a null pointer is the library's business. */
void *__fencepost_malloc(unsigned size);
void __fencepost_free(void *pointer);

/* The end of the program. */
__attribute__((__noreturn__)) void __fencepost_exit(int status);
__attribute__((__noreturn__)) void __fencepost_abort(void);
__attribute__((__noreturn__)) void __fencepost_assert_fail(const char *expression, const char *file, int line,
                                                           const char *function);

/* The checker's own. */
void __fencepost_assume(int condition);
/* Any of 0 … count-1, explored as part of the schedule. */
int __fencepost_choose(int count);

/* Like vprintf, into the captured output of the execution. */
int __fencepost_printf(const char *format, __builtin_va_list arguments);

#endif
