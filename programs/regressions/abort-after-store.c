/*
 * A thread aborts right after a store into its buffer, while another writes through a pointer to a local variable that ended.
 * Both errors can come first. (The fuzzer's simulator ran the store and the abort when the thread was created.)
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
static unsigned *gp;
static void *t1(void *);
static void *t2(void *);
static void *t3(void *);
static void *t1(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  u1.h[0] = (unsigned short)(0x3ull);
  abort();
  return (void *)result(r0, r1, r2);
}
static void *t2(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  { unsigned *q = gp; if (q) *q = 2; }
  return (void *)result(r0, r1, r2);
}
static void *t3(void *_) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  unsigned local[2]; /* zero, like all memory; an initialiser would be a store that others can miss */
  gp = local;
  return (void *)result(r0, r1, r2);
}
int main(void) {
  unsigned long long r0 = 0, r1 = 0, r2 = 0;
  pthread_t h1, h2, h3;
  pthread_create(&h1, 0, t1, 0);
  pthread_create(&h2, 0, t2, 0);
  pthread_create(&h3, 0, t3, 0);
  return (int)result(r0, r1, r2);
}
