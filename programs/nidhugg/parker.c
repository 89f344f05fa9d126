/*
 * The parker of a Java virtual machine, with its fast paths. [NIDHUGG] Table 1, parker.c; the error:
 * D. Dice, A race in LockSupport park() arising from weak memory models, 2009.
 *
 * A parker holds at most one permit. `park` takes it or waits for it, and may return spuriously; `unpark` gives it.
 * So a thread that parks checks afterwards what it waits for. When a permit is there, `park` takes it with a plain
 * store and no lock, and returns. Under TSO the check that follows can come before that store reaches memory: the other
 * thread finds the permit not taken and wakes nobody, the late store takes it away, and the thread waits forever.
 * Under PSO the permit can also overtake the news.
 *
 * Main gives NEWS pieces of news, and the other thread waits for each: a thread that waits forever is a deadlock. A
 * failed trylock makes `park` return at once; such rounds only wait. (The paper unrolls 10 times.)
 */
#include "../fences.h"

#ifndef NEWS
#define NEWS 2
#endif

struct parker {
  atomic_int permit;
  pthread_mutex_t lock;
  pthread_cond_t given;
};

struct parker parker = {0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
atomic_int news;

static void park(struct parker *p) {
  if (get(p->permit)) {
    set(p->permit, 0);
    STORE_LOAD();
    return;
  }
  if (pthread_mutex_trylock(&p->lock) != 0) return;
  if (!get(p->permit)) pthread_cond_wait(&p->given, &p->lock);
  set(p->permit, 0);
  pthread_mutex_unlock(&p->lock);
}

static void unpark(struct parker *p) {
  pthread_mutex_lock(&p->lock);
  int before = get(p->permit);
  set(p->permit, 1);
  pthread_mutex_unlock(&p->lock);
  if (!before) pthread_cond_signal(&p->given);
}

static void *wait_for_news(void *unused) {
  (void)unused;
  for (int piece = 1; piece <= NEWS; piece++)
    while (get(news) < piece) park(&parker);
  return 0;
}

int main(void) {
  pthread_t reader;
  pthread_create(&reader, 0, wait_for_news, 0);
  for (int piece = 1; piece <= NEWS; piece++) {
    set(news, piece);
    STORE_STORE();
    unpark(&parker);
  }
  pthread_join(reader, 0);
  return 0;
}
