/* expect: correct; same output always */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 2

typedef int stage_fn(int);

struct stage {
  const char *name;
  stage_fn *transform;
  sem_t ready, taken;
  int value;
  struct stage *next;
};

static void die(const char *what) {
  fprintf(stderr, "%s: %s\n", what, strerror(errno));
  exit(1);
}

static void hand_over(struct stage *to, int value) {
  if (sem_wait(&to->taken) != 0) die("sem_wait");
  to->value = value;
  if (sem_post(&to->ready) != 0) die("sem_post");
}

static int receive(struct stage *me) {
  if (sem_wait(&me->ready) != 0) die("sem_wait");
  int value = me->value;
  if (sem_post(&me->taken) != 0) die("sem_post");
  return value;
}

static void *run(void *argument) {
  struct stage *me = argument;
  for (int i = 0; i < ROUNDS; i++) hand_over(me->next, me->transform(receive(me)));
  return NULL;
}

static int increment(int x) { return x + 1; }

int main(void) {
  static struct stage end = {.name = "end"}, first = {.name = "increment", .transform = increment, .next = &end};
  struct stage *stages[] = {&first, &end};
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    if (sem_init(&stages[i]->ready, 0, 0) || sem_init(&stages[i]->taken, 0, 1)) die("sem_init");
  }
  pthread_t thread;
  if ((errno = pthread_create(&thread, NULL, run, &first)) != 0) die("pthread_create");
  for (int i = 0; i < ROUNDS; i++) {
    hand_over(&first, 10 * i);
    printf("%s -> %d\n", first.name, receive(&end));
  }
  pthread_join(thread, NULL);
  int left;
  sem_getvalue(&end.taken, &left);
  int status = sem_trywait(&end.ready);
  printf("left %d, try %d %s\n", left, status, errno == EAGAIN ? "EAGAIN" : "?");
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    sem_destroy(&stages[i]->ready);
    sem_destroy(&stages[i]->taken);
  }
  return 0;
}
