/*
 * Threads: their numbers, their creation and joining, and what happens to them in a child of fork.
 *
 * A new thread waits until its creation is in the log, and so do its signals. It is joined after everything it did,
 * including destructors. Numbers of joined threads are reused, but only where the log has the creation of the next one.
 * After 65,534 threads that were not joined, none is left, and recording ends.
 */

static __thread struct self *my_self;
/* 1: this thread is becoming one of ours; 2: it has ended. */
static __thread int my_state;

static struct self *all_selves, *spare_selves;
static uint32_t next_number;
static latch thread_latch;
static pthread_key_t end_key;
static _Atomic int is_ready;

static void end_thread(void *argument);

/* A place and a number for a thread; NULL if there is none. A number that was joined is for a thread to be created. */
static struct self *new_self(int is_created) {
  close_latch(&thread_latch);
  struct self *self = is_created ? spare_selves : NULL;
  if (self) spare_selves = self->next;
  else if (next_number < NOBODY && (self = reserve(sizeof *self))) self->number = next_number++;
  if (self) {
    uint32_t number = self->number;
    struct hold *many = self->many;
    memset(self, 0, sizeof *self);
    self->number = number;
    self->many = many;
    self->holds = self->few;
    self->next = all_selves;
    all_selves = self;
  }
  open_latch(&thread_latch);
  return self;
}

/* Called with the latch closed. */
static void forget_self(struct self *self) {
  for (struct self **at = &all_selves; *at; at = &(*at)->next) {
    if (*at != self) continue;
    *at = self->next;
    return;
  }
}

/* The number may be reused by another thread, since the log has the join. */
static void reuse(struct self *self) {
  close_latch(&thread_latch);
  forget_self(self);
  self->next = spare_selves;
  spare_selves = self;
  open_latch(&thread_latch);
}

static void become(struct self *self) {
  self->tid = (pid_t)syscall(SYS_gettid);
  self->thread = pthread_self();
  my_self = self;
  pthread_setspecific(end_key, self);
}

static void before_fork(void) {
  struct self *self = enter();
  if (self) leave(self);
}

/* Only this thread is left, and no stripe is held. It still holds what it has locked. */
static void after_fork_in_child(void) {
  struct self *self = my_self;
  memset(stripes, 0, sizeof stripes);
  forget_log();
  module_count = 0;
  module_latch = thread_latch = handler_latch = 0;
  next_site = 1;
  all_selves = spare_selves = NULL;
  next_number = 0;
  if (!self) return;
  self->number = next_number++;
  self->tid = (pid_t)syscall(SYS_gettid);
  self->base = NULL;
  self->written = 0;
  self->next = NULL;
  all_selves = self;
  self->inside = 1;
  open_log(1);
  add_modules(self);
  for (uint32_t i = 0; i < self->locks; i++)
    put(self, (struct event){.operation = LOCK, .flags = SUCCEEDED, .other = NOBODY, .address = (uintptr_t)self->locked[i]}, self->place);
  self->inside = 0;
}

/* Sets up whatever is not yet set up, in the first thread that gets here: long before there are others. */
static void set_up(void) {
  is_ready = 1;
  pthread_key_create(&end_key, end_thread);
  struct self *self = new_self(0);
  if (!self) return;
  self->inside = 1;
  become(self);
  open_log(0);
  add_modules(self);
  pthread_atfork(before_fork, NULL, after_fork_in_child);
  self->inside = 0;
}

/* Registers a thread that was created behind our back; returns NULL for one that has ended. */
static struct self *adopt(void) {
  if (my_state) return NULL;
  my_state = 1;
  if (!is_ready) set_up();
  else {
    struct self *self = new_self(0);
    if (self) become(self);
    else stop("there are more than 65,534 threads");
  }
  my_state = 0;
  return my_self;
}

static struct self *known_self(void) { return my_self; }

static int record_nothing_yet(void) {
  int state = my_state;
  if (!my_self) my_state = 1;
  return state;
}

static void record_again(int state) { my_state = state; }

static inline struct self *me(void) {
  struct self *self = my_self;
  return UNLIKELY(!self) ? adopt() : self;
}

/* After the destructors of all other keys: some of them may access memory, so we let them go first. */
static void end_thread(void *argument) {
  struct self *self = argument;
  if (++self->passes < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(end_key, self);
    return;
  }
  if (enter()) leave_chunk(self);
  my_state = 2;
  my_self = NULL;
  close_latch(&thread_latch);
  self->has_ended = 1;
  if (self->is_detached) forget_self(self);
  open_latch(&thread_latch);
}

struct start {
  void *(*function)(void *);
  void *argument;
  struct self *self;
  /* The signals that the thread blocks when it begins; all are blocked until then, unless it was given its own. */
  sigset_t mask;
  _Atomic uint32_t is_recorded;
};

/* Bytes of a new stack that may have been another thread's, and are likely to be used. */
enum { STACK = 32768 };

static void *run_thread(void *argument) {
  struct start *start = argument;
  void *(*function)(void *) = start->function;
  void *given = start->argument;
  struct self *self = start->self;
  my_state = 1;
  while (!atomic_load_explicit(&start->is_recorded, memory_order_acquire)) wait_while(&start->is_recorded, 0);
  if (self) {
    pthread_attr_t attributes;
    void *bottom;
    size_t size;
    self->inside = 1;
    become(self);
    if (!pthread_getattr_np(self->thread, &attributes)) {
      if (!pthread_attr_getstack(&attributes, &bottom, &size)) {
        uintptr_t low = (uintptr_t)&attributes - STACK, top = (uintptr_t)bottom + size;
        if (low < (uintptr_t)bottom) low = (uintptr_t)bottom;
        if (low < top) {
          struct event event = {.operation = ALLOC, .flags = WROTE, .other = NOBODY, .address = low, .size = (uint32_t)(top - low)};
          put(self, event, (uintptr_t)function + 1);
        }
      }
      pthread_attr_destroy(&attributes);
    }
    leave(self);
  }
  my_state = self ? 0 : 2;
  sigset_t mask = start->mask;
  syscall(SYS_munmap, start, sizeof *start);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  return function(given);
}

/* The signals that a thread with these attributes blocks when it begins, if they say so. */
static void get_mask(const pthread_attr_t *attributes, sigset_t *mask) {
#if __GLIBC_PREREQ(2, 32)
  sigset_t own;
  if (attributes && !pthread_attr_getsigmask_np(attributes, &own)) *mask = own;
#else
  (void)attributes;
  (void)mask;
#endif
}

static int create_thread(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument,
                         uintptr_t place) {
  struct self *self = enter();
  if (!self) return REAL(pthread_create)(thread, attributes, function, argument);
  struct self *child = new_self(1);
  struct start *start = reserve(sizeof *start);
  if (!child) stop("there are more than 65,534 threads");
  if (!start) {
    if (child) reuse(child);
    leave(self);
    return EAGAIN;
  }
  sigset_t all, mine;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mine);
  *start = (struct start){function, argument, child, mine, 0};
  get_mask(attributes, &start->mask);
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  if (child) child->is_detached = state == PTHREAD_CREATE_DETACHED;
  pthread_t made;
  int error = REAL(pthread_create)(&made, attributes, run_thread, start);
  if (error) {
    syscall(SYS_munmap, start, sizeof *start);
    if (child) reuse(child);
  } else {
    *thread = made;
    if (child) child->thread = made;
    if (child) put(self, (struct event){.operation = SPAWN, .other = (uint16_t)child->number}, place);
    atomic_store_explicit(&start->is_recorded, 1, memory_order_release);
    wake_all(&start->is_recorded);
  }
  pthread_sigmask(SIG_SETMASK, &mine, NULL);
  leave(self);
  return error;
}

EXPORTED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  return create_thread(thread, attributes, function, argument, CALLER);
}

/* Finds the thread to be joined: of those that have had this name, the last that was not detached. */
static struct self *find_self(pthread_t thread) {
  close_latch(&thread_latch);
  struct self *self = all_selves;
  while (self && (self->is_detached || !pthread_equal(self->thread, thread))) self = self->next;
  open_latch(&thread_latch);
  return self;
}

static void joined(struct self *child, uintptr_t place) {
  struct self *self = enter();
  if (!self || !child) return;
  put(self, (struct event){.operation = JOIN, .other = (uint16_t)child->number}, place);
  reuse(child);
  leave(self);
}

/* `enter` for functions that may wait: the last access is done, and signal handlers may run. */
static void pause_recording(void) {
  struct self *self = enter();
  if (self) leave(self);
}

#define JOINING(name, parameters, arguments)         \
  EXPORTED int name parameters {                     \
    uintptr_t place = CALLER;                        \
    pause_recording();                               \
    struct self *child = find_self(thread);          \
    int error = REAL(name) arguments;                \
    if (!error) joined(child, place);                \
    return error;                                    \
  }
JOINING(pthread_join, (pthread_t thread, void **result), (thread, result))
JOINING(pthread_tryjoin_np, (pthread_t thread, void **result), (thread, result))
JOINING(pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *time), (thread, result, time))

EXPORTED int pthread_detach(pthread_t thread) {
  pause_recording();
  struct self *child = find_self(thread);
  if (child) {
    close_latch(&thread_latch);
    child->is_detached = 1;
    if (child->has_ended) forget_self(child);
    open_latch(&thread_latch);
  }
  return REAL(pthread_detach)(thread);
}

EXPORTED void __tsan_init(void) { me(); }
