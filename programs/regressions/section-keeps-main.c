/*
 * A section waits for a mutex whose holder cannot run meanwhile, and neither can main, which has a fence left: a deadlock.
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
  pthread_t h2;
  pthread_create(&h2, 0, t2, 0);
  pthread_mutex_lock(&m0);
  u1.w[0] = 1;
  pthread_cond_signal(&c0);
  pthread_mutex_unlock(&m0);
  return (void *)result(r0, r1, r2);
}
static void *t2(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  __VERIFIER_atomic_begin();
  pthread_mutex_lock(&m0);
  u1.w[0] = 1;
  pthread_cond_broadcast(&c0);
  pthread_mutex_unlock(&m0);
  __VERIFIER_atomic_end();
  return (void *)result(r0, r1, r2);
}
int main(void) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  pthread_t h1;
  pthread_create(&h1, 0, t1, 0);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  return (int)result(r0, r1, r2);
}
