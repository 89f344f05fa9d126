/* expect: correct; same output always */
/* Workers parse the lines of a small configuration file, each with sscanf, and a table collects what they find. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { KIND_NONE, KIND_INTEGER, KIND_REAL, KIND_TEXT, KIND_RANGE };

struct entry {
  char key[16];
  enum kind kind;
  long integer;
  double real;
  char text[16];
  unsigned low, high;
  int used;
};

static const char *const lines[] = {
    "threads = 4",
    "  ratio=2.5e-1  # of all",
    "name = \"stress test\"",
    "ports = 0x1f-8080",
};
#define LINES (sizeof lines / sizeof lines[0])

static struct entry table[LINES];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef int (*parser)(const char *line, struct entry *entry);

static int parse_range(const char *line, struct entry *entry) {
  if (sscanf(line, " %15[a-z] = %i-%u%n", entry->key, (int *)&entry->low, &entry->high, &entry->used) != 3) return 0;
  entry->kind = KIND_RANGE;
  return 1;
}

static int parse_text(const char *line, struct entry *entry) {
  if (sscanf(line, " %15[a-z] = \"%15[^\"]%*c%n", entry->key, entry->text, &entry->used) != 2) return 0;
  entry->kind = KIND_TEXT;
  return 1;
}

static int parse_real(const char *line, struct entry *entry) {
  char mark;
  if (sscanf(line, " %15[a-z] = %lf%n %c", entry->key, &entry->real, &entry->used, &mark) < 2) return 0;
  if (entry->real == (double)(long)entry->real) return 0;
  entry->kind = KIND_REAL;
  return 1;
}

static int parse_integer(const char *line, struct entry *entry) {
  if (sscanf(line, " %15[a-z] = %ld%n", entry->key, &entry->integer, &entry->used) != 2) return 0;
  entry->kind = KIND_INTEGER;
  return 1;
}

static const parser parsers[] = {parse_range, parse_text, parse_real, parse_integer};

static void *work(void *argument) {
  size_t first = (size_t)argument;
  for (size_t i = first; i < LINES; i += 2) {
    struct entry found = {.kind = KIND_NONE};
    for (size_t p = 0; p < sizeof parsers / sizeof parsers[0]; p++) {
      if (parsers[p](lines[i], &found)) break;
    }
    pthread_mutex_lock(&lock);
    table[i] = found;
    count++;
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (size_t i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, (void *)i);
  for (size_t i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  printf("%d entries\n", count);
  for (size_t i = 0; i < LINES; i++) {
    const struct entry *e = &table[i];
    printf("%-8s", e->key);
    switch (e->kind) {
      case KIND_INTEGER: printf("%ld", e->integer); break;
      case KIND_REAL: printf("%.4f (%a)", e->real, e->real); break;
      case KIND_TEXT: printf("[%s]", e->text); break;
      case KIND_RANGE: printf("%u to %u", e->low, e->high); break;
      default: printf("?"); break;
    }
    printf(" after %d characters\n", e->used);
  }
  int x = -1;
  printf("%d", sscanf("", "%d", &x));
  printf(" %d", sscanf("x", "%d", &x));
  printf(" %d", sscanf("12x34", "%2dx%*d", &x));
  printf(" %d\n", x);
  printf("%d %d\n", scanf("%d", &x), getchar() == EOF);
  return EXIT_SUCCESS;
}
