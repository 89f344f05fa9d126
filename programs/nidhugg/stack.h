/*
 * A bounded stack under a mutex, one thread that pushes SIZE elements and one that pops as many. Shared by
 * stack_safe.c, which checks that the stack is not empty before it pops, and stack_unsafe.c, which does not.
 */
#include "../fences.h"

#ifndef SIZE
#define SIZE 5
#endif

int elements[SIZE];
int top;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int element) {
  assert(top < SIZE);
  elements[top++] = element;
}

static int pop(void) {
  assert(top > 0);
  return elements[--top];
}

static void *push_all(void *unused) {
  (void)unused;
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&lock);
    push(i + 1);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void *pop_all(void *looks) {
  for (int i = 0; i < SIZE; i++) {
    pthread_mutex_lock(&lock);
    if (looks == 0 || top > 0) assert(pop() > 0);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

static void run(void *looks) {
  pthread_t pusher, popper;
  pthread_create(&pusher, 0, push_all, 0);
  pthread_create(&popper, 0, pop_all, looks);
  pthread_join(pusher, 0);
  pthread_join(popper, 0);
}
