/* Peterson's lock without the fence that x86 needs, in a program of 777 steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define N 6
typedef struct lock { atomic_int interested[2]; atomic_int turn; int owner; } lock_t;
typedef struct account { lock_t lock; long balance; int history[40]; } account_t;
static account_t accounts[N];
static void lock_acquire(lock_t *l, int me) {
  int other = 1 - me; atomic_store_explicit(&l->interested[me], 1, memory_order_release);
  atomic_store_explicit(&l->turn, other, memory_order_release);
  while (atomic_load_explicit(&l->interested[other], memory_order_acquire) && atomic_load_explicit(&l->turn, memory_order_acquire) == other)
    ;
  l->owner = me;
}
static void lock_release(lock_t *l, int me) {
  assert(l->owner == me);
  l->owner = -1;
  atomic_store_explicit(&l->interested[me], 0, memory_order_release);
}
static void deposit(account_t *a, int me, int amount) {
  lock_acquire(&a->lock, me);
  long before = a->balance;
  for (int i = 0; i < 40; i++) a->history[i] = a->history[i] + amount;
  a->balance = before + amount;
  lock_release(&a->lock, me);
}
struct job { account_t *account; int me; int amount; } jobs[2];
static void *teller(void *arg) {
  struct job *j = arg;
  deposit(j->account, j->me, j->amount);
  return 0;
}
int main(void) {
  for (int i = 0; i < N; i++) {
    accounts[i].balance = 100 * i;
    for (int k = 0; k < 40; k++) accounts[i].history[k] = 0;
  }
  pthread_t t[2];
  for (int i = 0; i < 2; i++) {
    jobs[i] = (struct job){&accounts[2], i, 10 + i};
    pthread_create(&t[i], 0, teller, &jobs[i]);
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(accounts[2].balance == 221);
  return 0;
}
