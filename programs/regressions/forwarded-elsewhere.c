/*
 * A load is forwarded from a store that its thread, blocked by an assumption, never makes in the execution whose races are
 * examined. (Optimal-DPOR took the load for one that reads memory, and explored an execution that it then had to give up.)
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
static pthread_mutex_t m0;
static pthread_mutex_t m1;
static pthread_cond_t c0;
static pthread_cond_t c1;
static void *t1(void *);
static void *t2(void *);
static void *t1(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  u0.w[0] = (unsigned)(0x3ull);
  r1 = u0.w[0];
  __VERIFIER_assume(r1 != 2);
  u1.w[0] = (unsigned)(0x1ull);
  r0 = u1.w[0];
  return (void *)result(r0, r1, r2);
}
static void *t2(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  u0.w[0] = (unsigned)(0x2ull);
  pthread_mutex_lock(&m0);
  u1.w[0] = 1;
  pthread_cond_broadcast(&c0);
  pthread_mutex_unlock(&m0);
  return (void *)result(r0, r1, r2);
}
int main(void) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  pthread_t h1, h2;
  pthread_create(&h1, 0, t1, 0);
  pthread_create(&h2, 0, t2, 0);
  return (int)result(r0, r1, r2);
}
