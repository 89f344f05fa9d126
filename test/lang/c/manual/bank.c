/* expect: correct; same output always; arguments: 30 12 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct account {
  int id;
  long balance;
  pthread_mutex_t lock;
};

struct transfer {
  struct account *from, *to;
  long amount;
  int result;
};

static struct account accounts[2] = {
    {.id = 1, .balance = 100, .lock = PTHREAD_MUTEX_INITIALIZER},
    {.id = 2, .balance = 50, .lock = PTHREAD_MUTEX_INITIALIZER},
};

static int by_id(const void *left, const void *right) {
  const struct account *const *l = left, *const *r = right;
  return ((*l)->id > (*r)->id) - ((*l)->id < (*r)->id);
}

static int transfer(struct account *from, struct account *to, long amount) {
  struct account *both[] = {from, to};
  int result = 0;
  qsort(both, 2, sizeof both[0], by_id);
  pthread_mutex_lock(&both[0]->lock);
  pthread_mutex_lock(&both[1]->lock);
  if (from->balance < amount) {
    result = ENOSPC;
  } else {
    from->balance -= amount;
    to->balance += amount;
  }
  pthread_mutex_unlock(&both[1]->lock);
  pthread_mutex_unlock(&both[0]->lock);
  return result;
}

static void *run(void *argument) {
  struct transfer *t = argument;
  t->result = transfer(t->from, t->to, t->amount);
  return NULL;
}

static long parse(const char *text, long otherwise) {
  char *end;
  errno = 0;
  long value = strtol(text, &end, 10);
  if (errno != 0 || *end != '\0' || end == text || value < 0 || value > INT_MAX) {
    fprintf(stderr, "bad number \"%s\"\n", text);
    return otherwise;
  }
  return value;
}

int main(int argc, char **argv) {
  struct transfer there = {&accounts[0], &accounts[1], argc > 1 ? parse(argv[1], 1) : 10, -1};
  struct transfer back = {&accounts[1], &accounts[0], argc > 2 ? parse(argv[2], 1) : 20, -1};
  pthread_t thread;
  if (pthread_create(&thread, NULL, run, &there)) {
    perror("pthread_create");
    return EXIT_FAILURE;
  }
  run(&back);
  pthread_join(thread, NULL);
  printf("%ld %ld (%s, %s)\n", accounts[0].balance, accounts[1].balance, strerror(there.result),
         strerror(back.result));
  return accounts[0].balance + accounts[1].balance == 150 ? EXIT_SUCCESS : EXIT_FAILURE;
}
