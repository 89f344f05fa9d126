/*
 * Found by the fuzzer. A thread waits forever inside an atomic section. Main may not have returned before that: then
 * nobody runs any more. The machine lets main return as soon as it has nothing visible left to do, and took the wait
 * for one that the end of the process cuts off.
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
static pthread_barrier_t bar;
static void *t1(void *);
static void *t2(void *);
static void *t1(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  pthread_t h2;
  pthread_create(&h2, 0, t2, 0);
  return (void *)result(r0, r1, r2);
}
static void *t2(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  __VERIFIER_atomic_begin();
  r1 = pthread_barrier_wait(&bar) != 0;
  __VERIFIER_atomic_end();
  return (void *)result(r0, r1, r2);
}
int main(void) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  pthread_t h1;
  pthread_barrier_init(&bar, 0, 3);
  pthread_create(&h1, 0, t1, 0);
  pthread_detach(h1);
  return (int)result(r0, r1, r2);
}
