/*
 * Signals. A handler that ran between a hook and its access would call hooks itself, and those would release the stripe
 * before the access is done. So a handler waits for the thread's next hook, unless the thread holds no stripe, or was
 * in a system call, or has just caused the signal itself. A thread that never reaches another hook never runs it.
 * A handler is not recorded in a thread that has not recorded anything: pthread_create may not have recorded it yet.
 *
 * Sending a signal is a release, and handling it an acquire, of a place that stands for all signals with its number.
 */

static struct sigaction handlers[SIGNALS];
static latch handler_latch;

static void record_atomic(enum order order, const volatile void *object, uintptr_t place);

static int is_fault(int number, const siginfo_t *info) {
  int is_kind = number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP ||
                number == SIGABRT || number == SIGSYS;
  return is_kind && (!info || info->si_code > 0 || number == SIGABRT);
}

/* Whether the thread was interrupted in a system call: just after the instruction, or on it, if the call restarts. */
static int was_in_call(const ucontext_t *context) {
#if defined(__x86_64__)
  const unsigned char *at = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];
  return (at[0] == 0x0f && at[1] == 0x05) || (at[-2] == 0x0f && at[-1] == 0x05);
#elif defined(__aarch64__)
  const uint32_t *at = (const uint32_t *)context->uc_mcontext.pc;
  return at[0] == 0xd4000001 || at[-1] == 0xd4000001;
#else
  (void)context;
  return 0;
#endif
}

static void call_handler(int number, siginfo_t *info, void *context) {
  struct sigaction handler = handlers[number];
  record_atomic(ACQUIRE, &handlers[number], 0);
  if (handler.sa_flags & SA_SIGINFO) handler.sa_sigaction(number, info, context);
  else if (handler.sa_handler && handler.sa_handler != SIG_IGN) handler.sa_handler(number);
}

static void on_signal(int number, siginfo_t *info, void *context) {
  struct self *self = known_self();
  int is_between = self && (self->inside ? !self->is_waiting : self->held && !was_in_call(context));
  if (!is_between || is_fault(number, info)) {
    int inside = self ? self->inside : 0;
    int state = record_nothing_yet();
    if (self) self->inside = self->is_waiting;
    call_handler(number, info, context);
    if (self) self->inside = inside;
    record_again(state);
    return;
  }
  self->signals[number] = *info;
  self->interrupted = *(ucontext_t *)context;
  atomic_fetch_or(&self->pending, 1ull << (number - 1));
}

/* Called inside, with nothing held: as if the signals had arrived now. */
static void run_pending(struct self *self) {
  int error = errno;
  sigset_t all, before;
  sigfillset(&all);
  uint64_t pending;
  while ((pending = atomic_exchange(&self->pending, 0))) {
    pthread_sigmask(SIG_BLOCK, &all, &before);
    self->inside = 0;
    for (int number = 1; number < SIGNALS; number++)
      if (pending >> (number - 1) & 1) call_handler(number, &self->signals[number], &self->interrupted);
    self->inside = 1;
    let_go(self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  errno = error;
}

EXPORTED int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
  if (number < 1 || number >= SIGNALS) return REAL(sigaction)(number, action, old);
  struct sigaction ours, known;
  close_latch(&handler_latch);
  struct sigaction before = handlers[number];
  int has_handler = action && action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
  if (has_handler) {
    handlers[number] = ours = *action;
    ours.sa_sigaction = on_signal;
    ours.sa_flags |= SA_SIGINFO;
  }
  int error = REAL(sigaction)(number, has_handler ? &ours : action, &known);
  if (error) handlers[number] = before;
  open_latch(&handler_latch);
  if (!error && old) *old = known.sa_sigaction == on_signal ? before : known;
  return error;
}

EXPORTED sighandler_t signal(int number, sighandler_t handler) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
  sigemptyset(&action.sa_mask);
  return sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

static void sending(int number, uintptr_t place) {
  if (number > 0 && number < SIGNALS) record_atomic(RELEASE, &handlers[number], place);
}

#define SENDING(name, parameters, arguments) \
  EXPORTED int name parameters {             \
    sending(number, CALLER);                 \
    return REAL(name) arguments;             \
  }
SENDING(pthread_kill, (pthread_t thread, int number), (thread, number))
SENDING(pthread_sigqueue, (pthread_t thread, int number, const union sigval value), (thread, number, value))
SENDING(kill, (pid_t process, int number), (process, number))
SENDING(sigqueue, (pid_t process, int number, const union sigval value), (process, number, value))
