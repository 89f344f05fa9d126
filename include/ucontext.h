#ifndef FENCEPOST_UCONTEXT_H
#define FENCEPOST_UCONTEXT_H

#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ucontext {
  unsigned long uc_flags;
  struct ucontext *uc_link;
  stack_t uc_stack;
  sigset_t uc_sigmask;
  unsigned long uc_mcontext[64];
} ucontext_t;

/* Declared only. */
int getcontext(ucontext_t *context);
int setcontext(const ucontext_t *context);
int swapcontext(ucontext_t *__restrict old, const ucontext_t *__restrict next);
void makecontext(ucontext_t *context, void (*function)(void), int count, ...);

#ifdef __cplusplus
}
#endif

#endif
