/* expect: correct; same output always; arguments: -w 2 -n 6 */
/*
 * A work crew: a table of jobs by name, workers that take them off a list under a mutex, results collected with qsort.
 * Per-worker statistics live in thread-specific data whose destructor adds them up.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define CHECK(call)                                                                  \
  do {                                                                               \
    int status_ = (call);                                                            \
    if (status_ != 0) {                                                              \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, strerror(status_)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

typedef long (*operation_fn)(long left, long right);

static long add(long left, long right) { return left + right; }
static long multiply(long left, long right) { return left * right; }
static long largest(long left, long right) { return left > right ? left : right; }

static const struct operation {
  const char *name;
  operation_fn run;
} operations[] = {
    {"add", add},
    {"multiply", multiply},
    {"largest", largest},
};

struct job {
  struct job *next;
  const struct operation *operation;
  long left, right;
};

struct result {
  char text[40];
  long value;
};

struct statistics {
  unsigned jobs;
};

static struct {
  pthread_mutex_t mutex;
  struct job *head, **tail;
  struct result results[16];
  size_t count;
  unsigned total;
} crew = {.mutex = PTHREAD_MUTEX_INITIALIZER, .tail = &crew.head};

static pthread_key_t statistics_key;
static pthread_once_t statistics_once = PTHREAD_ONCE_INIT;

static void add_up(void *value) {
  struct statistics *mine = value;
  CHECK(pthread_mutex_lock(&crew.mutex));
  crew.total += mine->jobs;
  CHECK(pthread_mutex_unlock(&crew.mutex));
  free(mine);
}

static void make_key(void) { CHECK(pthread_key_create(&statistics_key, add_up)); }

static struct statistics *my_statistics(void) {
  CHECK(pthread_once(&statistics_once, make_key));
  struct statistics *mine = pthread_getspecific(statistics_key);
  if (mine == NULL) {
    mine = calloc(1, sizeof *mine);
    if (mine == NULL) abort();
    CHECK(pthread_setspecific(statistics_key, mine));
  }
  return mine;
}

static const struct operation *find_operation(const char *name) {
  for (size_t i = 0; i < ARRAY_SIZE(operations); i++)
    if (strcmp(operations[i].name, name) == 0) return &operations[i];
  return NULL;
}

static void append(const char *name, long left, long right) {
  struct job *job = malloc(sizeof *job);
  if (job == NULL) abort();
  *job = (struct job){.operation = find_operation(name), .left = left, .right = right};
  *crew.tail = job;
  crew.tail = &job->next;
}

static struct job *take(void) {
  CHECK(pthread_mutex_lock(&crew.mutex));
  struct job *job = crew.head;
  if (job != NULL && (crew.head = job->next) == NULL) crew.tail = &crew.head;
  CHECK(pthread_mutex_unlock(&crew.mutex));
  return job;
}

static void *work(void *unused) {
  (void)unused;
  for (struct job *job; (job = take()) != NULL; free(job)) {
    struct result result;
    result.value = job->operation->run(job->left, job->right);
    snprintf(result.text, sizeof result.text, "%-8s %2ld %2ld", job->operation->name, job->left, job->right);
    CHECK(pthread_mutex_lock(&crew.mutex));
    crew.results[crew.count++] = result;
    CHECK(pthread_mutex_unlock(&crew.mutex));
    my_statistics()->jobs++;
  }
  return (void *)(intptr_t)EXIT_SUCCESS;
}

static int by_text(const void *left, const void *right) {
  return strcmp(((const struct result *)left)->text, ((const struct result *)right)->text);
}

static long option(int argc, char **argv, char letter, long fallback) {
  for (int i = 1; i + 1 < argc; i++) {
    if (argv[i][0] != '-' || argv[i][1] != letter) continue;
    char *end;
    errno = 0;
    long value = strtol(argv[i + 1], &end, 10);
    if (errno != 0 || *end != '\0' || value < 1) {
      fprintf(stderr, "-%c: not a number: %s\n", letter, argv[i + 1]);
      exit(EXIT_FAILURE);
    }
    return value;
  }
  return fallback;
}

int main(int argc, char *argv[]) {
  long workers = option(argc, argv, 'w', 2), jobs = option(argc, argv, 'n', 4);
  for (long i = 0; i < jobs; i++) append(operations[i % (long)ARRAY_SIZE(operations)].name, i, 10 - i);
  pthread_t *threads = calloc((size_t)workers, sizeof *threads);
  for (long i = 0; i < workers; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL));
  bool failed = false;
  for (long i = 0; i < workers; i++) {
    void *status;
    CHECK(pthread_join(threads[i], &status));
    failed |= (intptr_t)status != EXIT_SUCCESS;
  }
  free(threads);
  qsort(crew.results, crew.count, sizeof crew.results[0], by_text);
  for (size_t i = 0; i < crew.count; i++) printf("%s = %ld\n", crew.results[i].text, crew.results[i].value);
  printf("%u jobs%s\n", crew.total, failed ? ", some failed" : "");
  return crew.total == (unsigned)jobs && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
