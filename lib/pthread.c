/* Threads: pthread.h in terms of the machine's primitives. */
#include <fencepost/library.h>
#include <errno.h>
#include <pthread.h>

void (*__fencepost_thread_end)(void);
void (*__fencepost_cleanup)(void);
int (*__fencepost_spawn_as_masked)(void *(*)(void *(*)(void *), void *), void *(*)(void *), void *);

static void call(void (**hook)(void)) {
  void (*function)(void) = (void (*)(void))__fencepost_glance_pointer(hook);
  if (function) function();
}

static void *start(void *(*function)(void *), void *argument) {
  void *result = 0;
  int kind = __fencepost_result_kind(function);
  if (kind == __FENCEPOST_POINTER) result = function(argument);
  else if (kind == __FENCEPOST_INT) result = (void *)(long)((int (*)(void *))(void (*)(void))function)(argument);
  else ((void (*)(void *))(void (*)(void))function)(argument);
  if (__fencepost_end_cxx_thread) __fencepost_end_cxx_thread();
  /* The lower half is enough: all addresses fit an int. */
  if (__fencepost_glance(&__fencepost_thread_end)) call(&__fencepost_thread_end);
  if (__fencepost_release_robust) __fencepost_release_robust();
  if (__fencepost_note_end) __fencepost_note_end();
  return result;
}

int __fencepost_create(const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  __fencepost_poke(&__fencepost_threaded, 1);
  int spawn = __fencepost_glance(&__fencepost_spawn_as_masked);
  /* Most threads are created like this. */
  if (!attributes && !spawn) return __fencepost_spawn(start, function, argument);
  int detached = attributes ? *(const volatile int *)&attributes->__words[__FENCEPOST_DETACHED] : 0;
  int handle = spawn ? ((__typeof__(__fencepost_spawn_as_masked))(long)spawn)(start, function, argument)
                     : __fencepost_spawn(start, function, argument);
  if (detached) __fencepost_detach(handle);
  return handle;
}

/* The identifier is stored when the thread may already be running: POSIX does not promise that it is visible to it. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  *thread = (pthread_t)__fencepost_create(attributes, function, argument);
  return 0;
}

/* By handle: orders the step of another thread that detaches that thread, and that of a thread that joins itself. */
enum { WORDS = 64 };
static int detaching[WORDS];

/* As in glibc, which detects this; threads that join each other concurrently wait forever there too. */
int __fencepost_join_itself(void) {
  (void)__atomic_load_n(&detaching[__fencepost_self() % WORDS], __ATOMIC_RELAXED);
  if (__fencepost_is_detached()) __fencepost_misuse("join of a detached thread");
  return EDEADLK;
}

int pthread_join(pthread_t thread, void **result) {
  int handle = (int)thread;
  if (handle == __fencepost_self()) return __fencepost_join_itself();
  if (__fencepost_await_end) __fencepost_await_end(handle);
  void *value = __fencepost_join(handle);
  if (result) *result = value;
  return 0;
}

int pthread_detach(pthread_t thread) {
  if ((int)thread != __fencepost_self()) __atomic_store_n(&detaching[thread % WORDS], 1, __ATOMIC_RELAXED);
  __fencepost_detach((int)thread);
  return 0;
}

void pthread_exit(void *result) {
  if (__fencepost_check_exit) __fencepost_check_exit();
  call(&__fencepost_cleanup);
  if (__fencepost_end_cxx_thread) __fencepost_end_cxx_thread();
  call(&__fencepost_thread_end);
  if (__fencepost_release_robust) __fencepost_release_robust();
  /* Ends all functions that the thread is in, as if each returned. */
  for (void *local = (void *)-1l; (local = __fencepost_older_local(local));) __fencepost_end_local(local);
  if (__fencepost_note_end) __fencepost_note_end();
  __fencepost_thread_exit(result);
}

pthread_t pthread_self(void) { return (pthread_t)__fencepost_self(); }

int pthread_equal(pthread_t left, pthread_t right) { return left == right; }

int pthread_setname_np(pthread_t thread, const char *name) {
  (void)thread;
  (void)name;
  return 0;
}

int pthread_atfork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void)) {
  (void)before;
  (void)in_parent;
  (void)in_child;
  return 0;
}

int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }

int pthread_getconcurrency(void) { return 0; }
