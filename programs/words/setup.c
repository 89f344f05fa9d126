/* The set-up takes many steps, before there is any thread. */
#include <pthread.h>
#include <stdatomic.h>
atomic_int table[100];
static void *f(void *u) { return (char *)u + table[3]; }
int main(void) {
  pthread_t t;
  for (int i = 0; i < 100; i++) table[i] = i;
  pthread_create(&t, 0, f, 0);
  pthread_join(t, 0);
  return 0;
}
