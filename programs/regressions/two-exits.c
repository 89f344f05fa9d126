/*
 * Two threads end the program with different statuses. DPOR takes one of the exits, after everything else: no verdict depends
 * on the status.
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
static void *t1(void *);
static void *t2(void *);
static void *t1(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  exit((int)(void *)result(r0, r1, r2));
  return (void *)result(r0, r1, r2);
}
static void *t2(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  __atomic_fetch_add(&u1.d[0], (unsigned long long)(0x100000001ull), __ATOMIC_ACQ_REL);
  r0 = u1.w[0];
  exit((int)(void *)result(r0, r1, r2));
  return (void *)result(r0, r1, r2);
}
int main(void) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  pthread_t h1, h2;
  pthread_create(&h1, 0, t1, 0);
  pthread_create(&h2, 0, t2, 0);
  return (int)result(r0, r1, r2);
}
