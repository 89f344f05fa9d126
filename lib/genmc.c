/* The threads of programs for GenMC. */
#include <genmc.h>

__VERIFIER_thread_t __VERIFIER_spawn(void *(*function)(void *), void *argument) {
  pthread_t thread;
  pthread_create(&thread, 0, function, argument);
  return thread;
}

__VERIFIER_thread_t __VERIFIER_spawn_symmetric(void *(*function)(void *), void *argument, __VERIFIER_thread_t other) {
  (void)other;
  return __VERIFIER_spawn(function, argument);
}

void *__VERIFIER_join(__VERIFIER_thread_t thread) {
  void *result;
  pthread_join(thread, &result);
  return result;
}

void *__VERIFIER_join_symmetric(__VERIFIER_thread_t thread) { return __VERIFIER_join(thread); }

__VERIFIER_thread_t __VERIFIER_thread_self(void) { return pthread_self(); }
