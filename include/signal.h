#ifndef FENCEPOST_SIGNAL_H
#define FENCEPOST_SIGNAL_H

#include <fencepost/types.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Signals that a thread sends to itself; none come from outside, and a memory error is an error, not a signal. Handlers
 * run in the sending thread, before the sending call returns; if the thread blocks the signal, as soon as it no
 * longer does.
 */
typedef int sig_atomic_t;

/* Linux's numbers, and glibc's layouts. */
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT SIGABRT
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTKFLT 16
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGURG 23
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SIGIO 29
#define SIGPOLL SIGIO
#define SIGPWR 30
#define SIGSYS 31
#define SIGRTMIN 34
#define SIGRTMAX 64
#define NSIG 65
#define _NSIG NSIG

union sigval {
  int sival_int;
  void *sival_ptr;
};
typedef union sigval sigval_t;

typedef struct {
  int si_signo;
  int si_errno;
  int si_code;
  pid_t si_pid;
  uid_t si_uid;
  union sigval si_value;
  int si_status;
  void *si_addr;
  int __rest[24];
} siginfo_t;

#define SI_USER 0
#define SI_TKILL (-6)

struct sigaction {
  union {
    void (*__handler)(int);
    void (*__action)(int, siginfo_t *, void *);
  } __function;
  sigset_t sa_mask;
  int sa_flags;
  void (*sa_restorer)(void);
};
#define sa_handler __function.__handler
#define sa_sigaction __function.__action

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND ((int)0x80000000)

#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

typedef void (*sighandler_t)(int);
typedef void (*sig_t)(int);
typedef void (*__sighandler_t)(int);

/* The handler stays, and the signal is blocked while it runs. */
void (*signal(int signal, void (*handler)(int)))(int);
int sigaction(int signal, const struct sigaction *__restrict action, struct sigaction *__restrict old);
int raise(int signal);
/* Only to the program itself; the calling thread gets the signal. */
int kill(pid_t process, int signal);
/* Only to the calling thread. */
int pthread_kill(pthread_t thread, int signal);

int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int signal);
int sigdelset(sigset_t *set, int signal);
int sigismember(const sigset_t *set, int signal);

/* Each thread has its own mask, inherited from its creator. */
int sigprocmask(int how, const sigset_t *__restrict set, sigset_t *__restrict old);
int pthread_sigmask(int how, const sigset_t *__restrict set, sigset_t *__restrict old);
int sigpending(sigset_t *set);

#define SI_QUEUE (-1)
#define SI_TIMER (-2)
#define SI_KERNEL 0x80
#define ILL_ILLOPC 1
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define TRAP_BRKPT 1
#define CLD_EXITED 1

typedef struct {
  void *ss_sp;
  int ss_flags;
  size_t ss_size;
} stack_t;
#define SS_ONSTACK 1
#define SS_DISABLE 2
#define MINSIGSTKSZ 2048
#define SIGSTKSZ 8192

struct sigevent {
  union sigval sigev_value;
  int sigev_signo;
  int sigev_notify;
  void (*sigev_notify_function)(union sigval);
  void *sigev_notify_attributes;
  int __rest[8];
};
typedef struct sigevent sigevent_t;
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2

/* Declared only. */
struct timespec;
int sigaltstack(const stack_t *__restrict stack, stack_t *__restrict old);
int sigsuspend(const sigset_t *mask);
int sigwait(const sigset_t *__restrict set, int *__restrict signal);
int sigwaitinfo(const sigset_t *__restrict set, siginfo_t *__restrict info);
int sigtimedwait(const sigset_t *__restrict set, siginfo_t *__restrict info, const struct timespec *__restrict timeout);
int sigqueue(pid_t process, int signal, const union sigval value);
int pthread_sigqueue(pthread_t thread, int signal, const union sigval value);
int killpg(pid_t group, int signal);
int siginterrupt(int signal, int flag);
void psignal(int signal, const char *text);

#ifdef __cplusplus
}
#endif

#endif
