/*
 * The operations of the machine, for the library in lib/. Calls of these functions become operations of the
 * program form (src/program/ir.ts); they have no definitions. Programs include <fencepost.h> instead.
 *
 * Synchronisation objects are identified by address. In the user's types, the library uses the first words, which every
 * libc has, so a file preprocessed against another libc works with them too.
 */
#ifndef FENCEPOST_MACHINE_H
#define FENCEPOST_MACHINE_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Threads. The handle is never 0 for a created thread, and `self` gives the same one. The new thread calls
 * `start(function, argument)`.
 */
int __fencepost_spawn(void *(*start)(void *(*)(void *), void *), void *(*function)(void *), void *argument);
void *__fencepost_join(int handle);
/* After this, joining the thread, or detaching it again, is an error. */
void __fencepost_detach(int handle);
int __fencepost_self(void);
/* The handle of the next thread that the calling one creates. */
int __fencepost_next_handle(void);
/* Whether the calling thread is detached. */
int __fencepost_is_detached(void);
__attribute__((__noreturn__)) void __fencepost_thread_exit(void *result);
/* The calling thread's newest local variable, older than this one, that other threads may know; null if none. */
void *__fencepost_older_local(void *local);
/* Ends its lifetime. */
void __fencepost_end_local(void *local);
void __fencepost_yield(void);
/* The program's function returns a pointer; something that does not fit one (call it only for its effects); an int. */
enum { __FENCEPOST_POINTER, __FENCEPOST_NOTHING, __FENCEPOST_INT };
int __fencepost_result_kind(void *(*function)(void *));

/* Mutexes and condition variables. */
void __fencepost_lock(void *mutex);
/* 1 if the lock was taken, 0 if it was held. */
int __fencepost_trylock(void *mutex);
void __fencepost_unlock(void *mutex);
void __fencepost_wait(void *condition, void *mutex);
/* May end at any time; 1 unless the thread was woken. */
int __fencepost_timedwait(void *condition, void *mutex);
void __fencepost_signal(void *condition);
void __fencepost_broadcast(void *condition);
/* An error if the mutex is held or the condition variable waited on. */
void __fencepost_destroy(void *object);
/* The same error; with `is_new`, no error, and the object becomes free. */
void __fencepost_init(void *object, int is_new);

/*
 * The bytes become an object, or cease to be one. Under a model in which races are errors, every use by another thread
 * must be ordered with this; under others, these do nothing.
 */
void __fencepost_initialised(volatile void *object, unsigned size);
void __fencepost_destroyed(volatile void *object, unsigned size);

/*
 * Conditional read-modify-writes, each one step. `await` waits until the object is in the relation to `bound`;
 * `try` does nothing if it is not. The result is the old value.
 */
int __fencepost_await_ne_sub_acquire(volatile int *object, int bound, int value);
int __fencepost_await_slt_add_acquire(volatile int *object, int bound, int value);
int __fencepost_await_slt_xchg_acquire(volatile int *object, int bound, int value);
int __fencepost_await_ne_none_acquire(volatile int *object, int bound, int value);
int __fencepost_await_sge_none_acquire(volatile int *object, int bound, int value);
int __fencepost_try_ne_sub_acquire(volatile int *object, int bound, int value);
int __fencepost_try_eq_xchg_acquire(volatile int *object, int bound, int value);
int __fencepost_try_slt_add_acquire(volatile int *object, int bound, int value);
int __fencepost_try_slt_xchg_acquire(volatile int *object, int bound, int value);
/*
 * A release store. A thread that acquires from it also synchronises with the stores of this kind that it replaced: for
 * machines it is a store, in C11 an exchange.
 */
void __fencepost_notice(volatile int *object, int value);

/*
 * A full fence in every other thread. The first function notes the threads in the record, a bit each; the second waits
 * until some can have their fence. Both return whether some still lack it.
 */
struct __fencepost_fences {
  unsigned missing[16];
};
int __fencepost_drain_first(struct __fencepost_fences *record);
int __fencepost_drain(struct __fencepost_fences *record);

/* A full fence on machines; in C11 only with `--futex linux`: the platform promises it, the language does not. */
void __fencepost_platform_fence(void);

/* Between these no other thread takes a step. */
void __fencepost_atomic_begin(void);
void __fencepost_atomic_end(void);

/*
 * Fresh memory is zero, or junk with --junk; from calloc it is zero. Its address is never reused. The library handles
 * `free` of a null pointer.
 */
void *__fencepost_malloc(__SIZE_TYPE__ size);
void *__fencepost_calloc(__SIZE_TYPE__ size);
void __fencepost_free(void *pointer);
void *__fencepost_aligned_malloc(__SIZE_TYPE__ align, __SIZE_TYPE__ size);
/* Zero, like that of calloc. */
void *__fencepost_aligned_calloc(__SIZE_TYPE__ align, __SIZE_TYPE__ size);
/* Memory for the library itself, which is never freed. */
void *__fencepost_keep(__SIZE_TYPE__ size);
/* The size of the object that `malloc` returned. */
__SIZE_TYPE__ __fencepost_size(void *pointer);

/*
 * The library's own records: accesses that are not steps. `glance` sees what the thread would load. Its result
 * must not depend on what other threads do in the meantime, unless that is an error anyway; `poke` is for memory that
 * only the library writes.
 */
int __fencepost_glance(const volatile void *word);
char __fencepost_glance_byte(const volatile void *byte);
void *__fencepost_glance_pointer(const volatile void *place);
void __fencepost_poke(volatile void *word, int value);
void __fencepost_poke_pointer(volatile void *place, const volatile void *value);
/* The same, but a loop that does nothing else still counts as only waiting. */
void __fencepost_idle_poke(volatile void *word, int value);

/* The end of the program. */
/* Calls the program's functions with the attribute destructor. */
void __fencepost_run_destructors(void);
__attribute__((__noreturn__)) void __fencepost_exit(int status);
__attribute__((__noreturn__)) void __fencepost_abort(void);
__attribute__((__noreturn__)) void __fencepost_assert_fail(const char *expression, const char *file, int line,
                                                           const char *function);
/* A misuse by the program, shown at the place where it called the library. */
__attribute__((__noreturn__)) void __fencepost_misuse(const char *text);

/* Something the program needs and we do not model: the search ends there, without a verdict. The text is a constant. */
__attribute__((__noreturn__)) void __fencepost_not_modelled(const char *text);

/* For the checker itself. */
void __fencepost_assume(int condition);
/* The same in our library, where another execution does what this one would do without the condition. */
void __fencepost_covered(int condition);
/* Any of 0 … count-1, explored as part of the schedule. */
int __fencepost_choose(int count);

/*
 * Prints bytes into the captured output of the execution and returns how many: at most `most`, or any number if that is
 * negative. They end before a 0 or `stop`, unless `stop` is negative. Reading them is not a step, so they must be
 * constants or private.
 */
int __fencepost_put(const char *bytes, int most, int stop);
/* The last `count` bytes that the thread has printed form one output. */
void __fencepost_end_output(int count);
/*
 * Converts a number to the characters that printf shows. `bits` is an integer of 64 bits or a double, `kind` the letter
 * of the conversion. Returns the number of characters; up to `room` of them, starting with number `from`, are written
 * to `to`, which must be private. A kind that does not convert numbers ends the search, like __fencepost_not_modelled.
 */
int __fencepost_convert(char *to, int room, int from, int kind, int flags, int width, int precision, unsigned long long bits);
/* Whether the memory there is a constant, or only this thread can see it. */
int __fencepost_is_constant(const void *address);
/* Whether this is part of a static variable, which is never freed. */
int __fencepost_is_static(const volatile void *address);

/* The beginning and end of operations: not steps. */
void __fencepost_mark(const char *name, int argument);
void __fencepost_endmark(int result);

/* Arithmetic. */
double __fencepost_fabs(double x);
double __fencepost_sqrt(double x);
double __fencepost_floor(double x);
double __fencepost_ceil(double x);
double __fencepost_trunc(double x);
double __fencepost_round(double x);
double __fencepost_fmod(double x, double y);
double __fencepost_exp(double x);
double __fencepost_exp2(double x);
double __fencepost_expm1(double x);
double __fencepost_log(double x);
double __fencepost_log2(double x);
double __fencepost_log10(double x);
double __fencepost_log1p(double x);
double __fencepost_sin(double x);
double __fencepost_cos(double x);
double __fencepost_tan(double x);
double __fencepost_asin(double x);
double __fencepost_acos(double x);
double __fencepost_atan(double x);
double __fencepost_sinh(double x);
double __fencepost_cosh(double x);
double __fencepost_tanh(double x);
double __fencepost_asinh(double x);
double __fencepost_acosh(double x);
double __fencepost_atanh(double x);
double __fencepost_cbrt(double x);

#ifdef __cplusplus
}
#endif

#endif
