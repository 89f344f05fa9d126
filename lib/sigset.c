#include <errno.h>
#include <signal.h>

/* Only the first two words are used. */
int sigemptyset(sigset_t *set) {
  set->__words[0] = set->__words[1] = 0;
  return 0;
}

int sigfillset(sigset_t *set) {
  set->__words[0] = set->__words[1] = ~0ul;
  return 0;
}

static int is_signal(int signal) {
  if (signal > 0 && signal < NSIG) return 1;
  errno = EINVAL;
  return 0;
}

static unsigned long bit_of(int signal) { return 1ul << (signal - 1) % 32; }

int sigaddset(sigset_t *set, int signal) {
  if (!is_signal(signal)) return -1;
  set->__words[(signal - 1) / 32] |= bit_of(signal);
  return 0;
}

int sigdelset(sigset_t *set, int signal) {
  if (!is_signal(signal)) return -1;
  set->__words[(signal - 1) / 32] &= ~bit_of(signal);
  return 0;
}

int sigismember(const sigset_t *set, int signal) {
  if (!is_signal(signal)) return -1;
  return (set->__words[(signal - 1) / 32] & bit_of(signal)) != 0;
}
