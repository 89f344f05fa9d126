/* Six clerks take the lock; one is in a hurry. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance[8];
static int notes[120];
static void add(int *where, int n) {
  int old = *where;
  *where = old + n;
}
static void *clerk(void *arg) {
  int id = (int)(long)arg;
  for (int i = 0; i < 15; i++) notes[id * 15 + i] = id;
  pthread_mutex_lock(&lock);
  add(&balance[0], id);
  pthread_mutex_unlock(&lock);
  return 0;
}
static void *hasty(void *arg) {
  add(&balance[0], 100);
  return arg;
}
int main(void) {
  pthread_t t[7];
  for (int i = 0; i < 6; i++) pthread_create(&t[i], 0, clerk, (void *)(long)(i + 1));
  pthread_create(&t[6], 0, hasty, 0);
  for (int i = 0; i < 7; i++) pthread_join(t[i], 0);
  int sum = balance[0]; assert(sum == 121);
}
