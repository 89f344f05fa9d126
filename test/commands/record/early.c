/* Signals that reach threads before they have begun, and threads that glibc creates; run by programs.test.ts. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static atomic_int handled, expired;
static int total;
static void on(int number) { (void)number; handled++; }
static void on_timer(union sigval value) { (void)value; expired++; }
static void *waits(void *argument) {
  while (!atomic_load((atomic_int *)argument)) usleep(10);
  total++;
  return 0;
}
static void start(const pthread_attr_t *attributes, int number) {
  pthread_t thread;
  atomic_int done = 0;
  if (pthread_create(&thread, attributes, waits, &done)) exit(1);
  if (number) pthread_kill(thread, number);
  atomic_store(&done, 1);
  pthread_join(thread, 0);
}
int main(void) {
  pthread_attr_t attributes;
  sigset_t some, none;
  signal(SIGUSR1, on);
  sigemptyset(&none);
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  for (int i = 0; i < 300; i++) start(0, SIGUSR1);
  /* A mask of the thread's own. */
  pthread_attr_init(&attributes);
  pthread_attr_setsigmask_np(&attributes, &none);
  pthread_sigmask(SIG_BLOCK, &some, 0);
  for (int i = 0; i < 30; i++) {
    kill(getpid(), SIGUSR1);
    start(&attributes, 0);
  }
  /* Threads that pthread_create did not make. */
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_timer};
  struct itimerspec time = {.it_value = {0, 1000000}, .it_interval = {0, 1000000}};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &time, 0)) exit(2);
  while (expired < 3) usleep(100);
  timer_delete(timer);
  printf("%d handled\n", handled);
  return 0;
}
