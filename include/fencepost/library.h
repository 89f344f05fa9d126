/*
 * Shared by the files of lib/: how the library keeps its own records invisibly (glance and poke in
 * <fencepost/machine.h>), and the parts that several files need.
 */
#ifndef FENCEPOST_LIBRARY_H
#define FENCEPOST_LIBRARY_H

#include <fencepost/machine.h>
#include <fencepost/types.h>
#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stores only if the value differs: initialising fresh memory to zero is not a step. */
static __inline__ __attribute__((__unused__)) void __fencepost_set(volatile int *word, int value) {
  if (__fencepost_glance(word) != value) *word = value;
}

/* Whether other threads have ever existed; set before the first is created, so a thread's steps see one value. */
extern int __fencepost_threaded;

/* Reads what another thread may store: a step once there are other threads. */
static __inline__ __attribute__((__unused__)) int __fencepost_look(const volatile int *word) {
  return __fencepost_glance(&__fencepost_threaded) ? __atomic_load_n(word, __ATOMIC_RELAXED) : __fencepost_glance(word);
}

/* Stores zero, once there are other threads even over zero: it may arrive late and overwrite what they stored. */
static __inline__ __attribute__((__unused__)) void __fencepost_clear(volatile int *word) {
  if (__fencepost_glance(word) != 0 || __fencepost_glance(&__fencepost_threaded)) *word = 0;
}

/*
 * What a thread holds, apart from plain mutexes: how often it has locked a recursive mutex, how it has locked a
 * read-write lock.
 */
struct __fencepost_hold {
  void *object;
  int count, is_robust;
  struct __fencepost_hold *next;
};
/* Null if the thread does not hold the object. */
struct __fencepost_hold *__fencepost_find_hold(void *object);
/* One of the robust mutexes that the thread holds, or null. */
void *__fencepost_held_robust(void);
void __fencepost_add_hold(void *object, int count);
void __fencepost_drop_hold(void *object);
void __fencepost_count_hold(struct __fencepost_hold *hold, int count);
int __fencepost_hold_count(struct __fencepost_hold *hold);

/* The mark of a mutex or condition variable that an init function initialised. */
#define FENCEPOST_READY 0x600f
/* In the first word of a destroyed mutex or condition variable. */
#define FENCEPOST_DESTROYED ((int)0xdeadc0de)

/* Visible to all threads at once; a buffered store of the same thread does not undo it. */
static __inline__ __attribute__((__unused__)) void __fencepost_mark_destroyed(volatile void *word, int mark) {
  __fencepost_poke(word, mark);
  __fencepost_set(word, mark);
}
/* Initialises a mutex or condition variable, whose mark is its first word; an error if it is in use. */
void __fencepost_init_marked(volatile int *object);
/* The mark of a mutex or condition variable. Reading it is a step, visible to monitors, if the program assigned it. */
int __fencepost_look_at_mark(const volatile int *object);
/* Marks a read-write lock as initialised, if it needs a mark. */
void __fencepost_note_initialised(volatile int *word);
/* An error if the object lacks a required mark. */
void __fencepost_check_mark(int mark, const volatile void *object, const char *misuse);
/* Whether an object at this address needs a mark: all but static variables do. */
int __fencepost_needs_mark(const volatile void *object);

void __fencepost_init_mutex(pthread_mutex_t *mutex, int kind);
/* An error if the mutex has been destroyed. */
void __fencepost_check_mutex(pthread_mutex_t *mutex);
int __fencepost_is_robust(pthread_mutex_t *mutex);

/* pthread_create without storing the handle, which may go where only the caller can write. */
int __fencepost_create(const pthread_attr_t *attributes, void *(*function)(void *), void *argument);
/* The result of joining the calling thread itself; an error if it is detached. */
int __fencepost_join_itself(void);

/* Words of a pthread_attr_t. */
enum {
  __FENCEPOST_DETACHED,
  __FENCEPOST_STACK_SIZE,
  __FENCEPOST_GUARD_SIZE,
  __FENCEPOST_INHERIT,
  __FENCEPOST_POLICY,
  __FENCEPOST_PRIORITY
};

/* Runs at the end of a thread, after the destructors of thread-local variables; set by keys.c once there is a key. */
extern void (*__fencepost_thread_end)(void);
/* Runs first when a thread ends by pthread_exit; set by cleanup.c once there is a handler. */
extern void (*__fencepost_cleanup)(void);
/* Runs at the end of the program; set by atexit.c once something is registered. */
extern void (*__fencepost_program_end)(void);

/* Runs first in free; set by cxx-new.c once an object came from new. */
extern void (*__fencepost_freeing)(void *);
/* The same for programs with mappings: an error if the memory is one. */
__attribute__((__weak__)) void __fencepost_check_not_mapped(void *);
/* Runs first in abort; set by signal.c once there is a handler. */
extern void (*__fencepost_aborting)(void);
/* Spawns a thread with its creator's signal mask; set by signal.c once a thread blocks anything. */
extern int (*__fencepost_spawn_as_masked)(void *(*start)(void *(*)(void *), void *), void *(*function)(void *), void *argument);

/* Whether the calling thread wakes spuriously, as a choice; never without `--spurious`. */
int __fencepost_wakes_up(void);
int __fencepost_fails_to_exchange(void);

/*
 * Cancellation. These are null unless the program cancels threads: then each cancellation point looks for a request,
 * which is a step, and ends its thread.
 */
extern __thread int __fencepost_cancel_state;
#define FENCEPOST_HOOK __attribute__((__weak__))
FENCEPOST_HOOK int __fencepost_is_cancelled(void);
FENCEPOST_HOOK __attribute__((__noreturn__)) void __fencepost_end_cancelled(void);
/* Notes that a thread is about to end; the second one waits for that, unless the calling thread is cancelled. */
FENCEPOST_HOOK void __fencepost_note_end(void);
FENCEPOST_HOOK void __fencepost_await_end(int handle);
/* A condition wait that is left when the thread is cancelled. */
FENCEPOST_HOOK int __fencepost_wait_cancellably(void *condition, void *mutex, int is_timed);
FENCEPOST_HOOK void __fencepost_wake_condition(void *condition, int count);
FENCEPOST_HOOK void __fencepost_check_not_waited_for(void *condition);
static __inline__ __attribute__((__unused__)) void __fencepost_cancellation_point(void) {
  if (__fencepost_is_cancelled && __fencepost_is_cancelled()) __fencepost_end_cancelled();
}

/* The same for programs in C++: before pthread_exit ends a thread. */
FENCEPOST_HOOK void __fencepost_check_exit(void);
/* Destroys the thread-local variables of C++. */
FENCEPOST_HOOK void __fencepost_end_cxx_thread(void);

/* The same for robust mutexes: the hook releases those that a thread holds when it ends. */
FENCEPOST_HOOK void __fencepost_release_robust(void);
/* Part of a mutex's kind, as in glibc. */
#define FENCEPOST_ROBUST 16
/* The result of `pthread_mutex_lock` once the robust mutex is locked; may unlock it again. */
FENCEPOST_HOOK int __fencepost_robust_locked(pthread_mutex_t *mutex);
/* Before it is unlocked. */
FENCEPOST_HOOK void __fencepost_robust_unlocks(pthread_mutex_t *mutex);

/* The same for pipes and event counters: the result of a system call, or -1 and `errno`. */
FENCEPOST_HOOK ssize_t __fencepost_read_file(int file, void *buffer, size_t size);
FENCEPOST_HOOK ssize_t __fencepost_write_file(int file, const void *buffer, size_t size);
FENCEPOST_HOOK int __fencepost_close_file(int file);

/* vsscanf, which also returns how many characters it has consumed. */
struct private_taken {
  int count;
};
int __fencepost_scan(const char *text, struct private_taken *taken, const char *format, va_list arguments);

/* Not null if the program can handle signals. */
FENCEPOST_HOOK void __fencepost_has_handlers(void);

/* syscall(SYS_futex, …), with the arguments after the number; likewise SYS_membarrier, if the program calls it. */
long __fencepost_futex(va_list arguments);
FENCEPOST_HOOK long __fencepost_membarrier(va_list arguments);

struct timespec;
/* 0, or EINVAL if it is not a valid time. */
int __fencepost_check_deadline(const struct timespec *deadline);
/* The result of a wait that timed out: ETIMEDOUT, or EINVAL for an invalid deadline. */
int __fencepost_time_out(const struct timespec *deadline);
/* Whether locks and waits take this clock; others are refused, whether the object is free or not, as in glibc. */
int __fencepost_times_waits(int clock);

/* Nanoseconds of the thread's own clock, which advances with every reading and with every sleep. */
__extension__ long long __fencepost_clock(void);
__extension__ void __fencepost_sleep(long long nanoseconds);

#ifdef __cplusplus
}
#endif

#endif
