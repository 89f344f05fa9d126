/*
 * A thread waits forever inside an atomic section that main, which has only to return, could not see begin: nobody runs
 * any more, so it is a deadlock, as in stuck-in-section.c.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <fencepost.h>
_Bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
union shared { unsigned long long d[1]; unsigned w[2]; unsigned short h[4]; unsigned char b[8]; };
static struct timespec soon;
static unsigned result(unsigned long long a, unsigned long long b, unsigned long long c) {
  return ((unsigned)(a ^ a >> 32) * 31u + (unsigned)(b ^ b >> 32)) * 31u + (unsigned)(c ^ c >> 32);
}

static union shared u0;
static union shared u1;
static sem_t sem;
static void *t1(void *);
static void *t1(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  __VERIFIER_atomic_begin();
  sem_wait(&sem);
  __VERIFIER_atomic_end();
  return (void *)result(r0, r1, r2);
}
int main(void) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  pthread_t h1;
  sem_init(&sem, 0, 0);
  pthread_create(&h1, 0, t1, 0);
  return (int)result(r0, r1, r2);
}
