#include <assert.h>
#include <pthread.h>

volatile int data, ready;

static void *writer(void *unused) {
  data = 42, ready = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (ready) assert(data == 42);
  pthread_join(thread, 0);
}
