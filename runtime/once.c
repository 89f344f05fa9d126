/* One-time initialisation: pthread_once, and C++'s static variables of functions. */

struct once {
  pthread_once_t *control;
  void (*function)(void);
  struct once *outer;
};

static __thread struct once *my_once;

static void run_once(void) {
  struct once *once = my_once;
  record_atomic(ACQUIRE, once->control, (uintptr_t)once->function + 1);
  once->function();
  record_atomic(RELEASE, once->control, (uintptr_t)once->function + 1);
}

static void leave_once(void *argument) { my_once = ((struct once *)argument)->outer; }

static int do_once(pthread_once_t *control, void (*function)(void), uintptr_t place) {
  struct once once = {control, function, my_once};
  int error;
  pause_recording();
  my_once = &once;
  pthread_cleanup_push(leave_once, &once);
  error = REAL(pthread_once)(control, run_once);
  pthread_cleanup_pop(1);
  if (!error) record_atomic(ACQUIRE, control, place);
  return error;
}

EXPORTED int pthread_once(pthread_once_t *control, void (*function)(void)) { return do_once(control, function, CALLER); }

/* From C++'s own library, if there is one. */
int __cxa_guard_acquire(uint64_t *guard);
void __cxa_guard_release(uint64_t *guard);
void __cxa_guard_abort(uint64_t *guard);

EXPORTED int __cxa_guard_acquire(uint64_t *guard) {
  uintptr_t place = CALLER;
  pause_recording();
  int is_first = REAL(__cxa_guard_acquire)(guard);
  struct self *self = enter();
  if (!self) return is_first;
  take(self, (uintptr_t)guard, 1);
  put(self, (struct event){is_first ? RMW : LOAD, ACQUIRE, is_first ? WROTE : 0, NOBODY, 1, (uintptr_t)guard, 0}, place);
  let_go(self);
  leave(self);
  return is_first;
}

static void end_guard(uint64_t *guard, void (*real)(uint64_t *), uintptr_t place) {
  struct self *self = enter();
  if (!self) {
    real(guard);
    return;
  }
  take(self, (uintptr_t)guard, 1);
  put(self, (struct event){STORE, RELEASE, WROTE, NOBODY, 1, (uintptr_t)guard, 0}, place);
  real(guard);
  let_go(self);
  leave(self);
}

EXPORTED void __cxa_guard_release(uint64_t *guard) { end_guard(guard, REAL(__cxa_guard_release), CALLER); }
EXPORTED void __cxa_guard_abort(uint64_t *guard) { end_guard(guard, REAL(__cxa_guard_abort), CALLER); }
