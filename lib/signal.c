/*
 * Signals that a thread sends to itself. The action of a signal is an immutable record, which all threads reach
 * through one word: installing it is not a fence. Masks and pending signals are private records of each thread.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <signal.h>
#include <unistd.h>

typedef unsigned long long set;

struct action {
  void *function;
  int flags;
  unsigned low, high;
};

/* Null for the default action. */
static struct action *actions[NSIG];
static __thread unsigned blocked[2], pending[2], sent_by_kill[2];
/* By signal: whether it was ever ignored when there were several threads, which discards it where it is pending. */
static int discarded[NSIG];

void __fencepost_has_handlers(void) {}

static set get(const unsigned *words) {
  return (unsigned)__fencepost_glance(&words[0]) | (set)(unsigned)__fencepost_glance(&words[1]) << 32;
}

static void put(unsigned *words, set value) {
  if (get(words) == value) return;
  __fencepost_poke(&words[0], (int)value);
  __fencepost_poke(&words[1], (int)(value >> 32));
}

static set bit_of(int signal) { return 1ull << (signal - 1); }

static int is_signal(int signal) { return signal > 0 && signal < NSIG; }

static int is_ignored_by_default(int signal) {
  return signal == SIGCHLD || signal == SIGCONT || signal == SIGURG || signal == SIGWINCH;
}

static const char *const endings[NSIG] = {
    [SIGHUP] = "killed by SIGHUP",     [SIGINT] = "killed by SIGINT",       [SIGQUIT] = "killed by SIGQUIT",
    [SIGILL] = "killed by SIGILL",     [SIGTRAP] = "killed by SIGTRAP",     [SIGBUS] = "killed by SIGBUS",
    [SIGFPE] = "killed by SIGFPE",     [SIGKILL] = "killed by SIGKILL",     [SIGUSR1] = "killed by SIGUSR1",
    [SIGSEGV] = "killed by SIGSEGV",   [SIGUSR2] = "killed by SIGUSR2",     [SIGPIPE] = "killed by SIGPIPE",
    [SIGALRM] = "killed by SIGALRM",   [SIGTERM] = "killed by SIGTERM",     [SIGSTKFLT] = "killed by SIGSTKFLT",
    [SIGXCPU] = "killed by SIGXCPU",   [SIGXFSZ] = "killed by SIGXFSZ",     [SIGVTALRM] = "killed by SIGVTALRM",
    [SIGPROF] = "killed by SIGPROF",   [SIGIO] = "killed by SIGIO",         [SIGPWR] = "killed by SIGPWR",
    [SIGSYS] = "killed by SIGSYS",
};

static void act_by_default(int signal) {
  if (is_ignored_by_default(signal)) return;
  if (signal == SIGABRT) __fencepost_abort();
  if (signal >= SIGSTOP && signal <= SIGTTOU) __fencepost_not_modelled("a signal that stops the program");
  const char *ending = __fencepost_glance_pointer(&endings[signal]);
  __fencepost_assert_fail(ending ? ending : "killed by a signal", "", 0, "");
}

static void deliver_pending(void);

static void check_kept(int signal) {
  if (__fencepost_glance(&__fencepost_threaded) && __atomic_load_n(&discarded[signal], __ATOMIC_RELAXED))
    __fencepost_not_modelled("a pending signal that another thread may have discarded by ignoring it");
}

static void call(int signal, void *function, int flags, int code) {
  if (!(flags & SA_SIGINFO)) {
    ((void (*)(int))function)(signal);
    return;
  }
  siginfo_t info;
  info.si_signo = signal;
  info.si_errno = 0;
  info.si_code = code;
  info.si_pid = getpid();
  info.si_uid = 1000;
  ((void (*)(int, siginfo_t *, void *))function)(signal, &info, NULL);
}

static void deliver(int signal, int code) {
  struct action *action = __atomic_load_n(&actions[signal], __ATOMIC_RELAXED);
  void *function = action ? __fencepost_glance_pointer(&action->function) : NULL;
  if (function == (void *)SIG_DFL) {
    act_by_default(signal);
    return;
  }
  if (function == (void *)SIG_IGN) return;
  int flags = __fencepost_glance(&action->flags);
  set before = get(blocked);
  put(blocked, before | get(&action->low) | (flags & SA_NODEFER ? 0 : bit_of(signal)));
  if (flags & SA_RESETHAND) __atomic_store_n(&actions[signal], NULL, __ATOMIC_RELAXED);
  /* As on Linux, the handler of the next signal runs first, as if it had interrupted this one. */
  deliver_pending();
  call(signal, function, flags, code);
  put(blocked, before);
  deliver_pending();
}

/* The lowest number is delivered first; the handlers of the others then run before its own. */
static void deliver_pending(void) {
  for (set ready; (ready = get(pending) & ~get(blocked)) != 0;) {
    int signal = __builtin_ctzll(ready) + 1;
    check_kept(signal);
    int code = get(sent_by_kill) & bit_of(signal) ? SI_USER : SI_TKILL;
    put(pending, get(pending) & ~bit_of(signal));
    deliver(signal, code);
  }
}

static void send(int signal, int code) {
  set bit = bit_of(signal);
  if (!(get(blocked) & bit)) {
    deliver(signal, code);
    return;
  }
  if (get(pending) & bit) {
    if (signal >= SIGRTMIN) __fencepost_not_modelled("a real-time signal that is pending twice");
    return;
  }
  put(pending, get(pending) | bit);
  put(sent_by_kill, code == SI_USER ? get(sent_by_kill) | bit : get(sent_by_kill) & ~bit);
}

int raise(int signal) {
  if (signal != 0 && !is_signal(signal)) {
    errno = EINVAL;
    return -1;
  }
  if (signal != 0) send(signal, SI_TKILL);
  return 0;
}

/* Whether it matters which thread gets it: that one runs a handler, or blocks the signal. */
static int matters_who_gets(int signal) {
  struct action *action = __atomic_load_n(&actions[signal], __ATOMIC_RELAXED);
  void *function = action ? __fencepost_glance_pointer(&action->function) : NULL;
  return (function != (void *)SIG_DFL && function != (void *)SIG_IGN) || get(blocked) & bit_of(signal);
}

int kill(pid_t process, int signal) {
  if (signal != 0 && !is_signal(signal)) {
    errno = EINVAL;
    return -1;
  }
  if (process != getpid()) __fencepost_not_modelled("kill of another process");
  if (signal == 0) return 0;
  if (__fencepost_glance(&__fencepost_threaded) && matters_who_gets(signal))
    __fencepost_not_modelled("kill of a program with several threads, any of which may get the signal");
  send(signal, SI_USER);
  return 0;
}

int pthread_kill(pthread_t thread, int signal) {
  if (signal != 0 && !is_signal(signal)) return EINVAL;
  if (signal == 0) return 0;
  if ((int)thread != __fencepost_self()) __fencepost_not_modelled("pthread_kill of another thread");
  send(signal, SI_TKILL);
  return 0;
}

/* For abort: runs the handler, if there is one, even if the signal is blocked. If it returns, the program ends. */
static void raise_abort(void) {
  put(blocked, get(blocked) & ~bit_of(SIGABRT));
  deliver(SIGABRT, SI_TKILL);
}

static struct action *install(int signal, struct action *action, void *function) {
  /* An abort that comes earlier ends the program in any case. */
  if (signal == SIGABRT) __fencepost_poke_pointer(&__fencepost_aborting, (void *)raise_abort);
  /* Not an exchange, which would be a fence on some machines. */
  struct action *old = __atomic_load_n(&actions[signal], __ATOMIC_RELAXED);
  __atomic_store_n(&actions[signal], action, __ATOMIC_RELAXED);
  if (function == (void *)SIG_IGN || (function == (void *)SIG_DFL && is_ignored_by_default(signal))) {
    put(pending, get(pending) & ~bit_of(signal));
    if (__fencepost_glance(&__fencepost_threaded)) __atomic_store_n(&discarded[signal], 1, __ATOMIC_RELAXED);
  }
  return old;
}

static struct action *make(void *function, int flags, unsigned low, unsigned high) {
  struct action *action = __fencepost_keep(sizeof *action);
  __fencepost_poke_pointer(&action->function, function);
  __fencepost_poke(&action->flags, flags);
  __fencepost_poke(&action->low, (int)low);
  __fencepost_poke(&action->high, (int)high);
  return action;
}

static int can_change(int signal) { return is_signal(signal) && signal != SIGKILL && signal != SIGSTOP; }

void (*signal(int signal, void (*handler)(int)))(int) {
  if (!can_change(signal) || handler == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  struct action *old = install(signal, make((void *)handler, SA_RESTART, 0, 0), (void *)handler);
  return old ? (void (*)(int))__fencepost_glance_pointer(&old->function) : SIG_DFL;
}

int sigaction(int signal, const struct sigaction *__restrict action, struct sigaction *__restrict old) {
  if (!is_signal(signal) || (action && !can_change(signal))) {
    errno = EINVAL;
    return -1;
  }
  struct action *before;
  if (action) {
    void *function = (void *)action->sa_handler;
    int flags = action->sa_flags;
    before = install(signal, make(function, flags, (unsigned)action->sa_mask.__words[0], (unsigned)action->sa_mask.__words[1]), function);
  } else {
    before = __atomic_load_n(&actions[signal], __ATOMIC_RELAXED);
  }
  if (!old) return 0;
  old->sa_handler = before ? (void (*)(int))__fencepost_glance_pointer(&before->function) : SIG_DFL;
  old->sa_flags = before ? __fencepost_glance(&before->flags) : 0;
  set mask = before ? get(&before->low) : 0;
  old->sa_mask.__words[0] = (unsigned long)mask;
  old->sa_mask.__words[1] = (unsigned long)(mask >> 32);
  return 0;
}

/* Start record of a thread whose creator has a mask. */
struct start {
  void *(*start)(void *(*)(void *), void *);
  void *argument;
  unsigned blocked[2];
};

static void *start_with_mask(void *(*function)(void *), void *argument) {
  struct start *start = argument;
  put(blocked, get(start->blocked));
  void *(*next)(void *(*)(void *), void *) = (void *(*)(void *(*)(void *), void *))__fencepost_glance_pointer(&start->start);
  return next(function, __fencepost_glance_pointer(&start->argument));
}

static int spawn_with_mask(void *(*start)(void *(*)(void *), void *), void *(*function)(void *), void *argument) {
  if (get(blocked) == 0) return __fencepost_spawn(start, function, argument);
  struct start *record = __fencepost_keep(sizeof *record);
  __fencepost_poke_pointer(&record->start, (void *)start);
  __fencepost_poke_pointer(&record->argument, argument);
  put(record->blocked, get(blocked));
  return __fencepost_spawn(start_with_mask, function, record);
}

int pthread_sigmask(int how, const sigset_t *__restrict change, sigset_t *__restrict old) {
  set before = get(blocked);
  if (change) {
    set words = change->__words[0] | (set)change->__words[1] << 32;
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    set after = how == SIG_BLOCK ? before | words : how == SIG_UNBLOCK ? before & ~words : words;
    put(blocked, after & ~bit_of(SIGKILL) & ~bit_of(SIGSTOP));
    /* Makes no difference to a thread without a mask. */
    __fencepost_poke_pointer(&__fencepost_spawn_as_masked, (void *)spawn_with_mask);
  }
  if (old) {
    old->__words[0] = (unsigned long)before;
    old->__words[1] = (unsigned long)(before >> 32);
  }
  deliver_pending();
  return 0;
}

int sigprocmask(int how, const sigset_t *__restrict change, sigset_t *__restrict old) {
  int error = pthread_sigmask(how, change, old);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

int sigpending(sigset_t *result) {
  set now = get(pending) & get(blocked);
  for (set rest = now; rest != 0; rest &= rest - 1) check_kept(__builtin_ctzll(rest) + 1);
  result->__words[0] = (unsigned long)now;
  result->__words[1] = (unsigned long)(now >> 32);
  return 0;
}
