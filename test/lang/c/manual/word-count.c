/* expect: correct; same output always */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
  const char *start;
  size_t length;
  unsigned count;
};

struct task {
  const char *text;
  struct word words[8];
  size_t used;
};

static int compare_words(const void *l, const void *r) {
  const struct word *left = l, *right = r;
  size_t shorter = left->length < right->length ? left->length : right->length;
  int order = strncmp(left->start, right->start, shorter);
  return order != 0 ? order : (int)left->length - (int)right->length;
}

static void *count(void *argument) {
  struct task *task = argument;
  const char *p = task->text;
  while (*p) {
    while (*p && !isalpha((unsigned char)*p)) p++;
    const char *start = p;
    while (isalpha((unsigned char)*p)) p++;
    if (p == start) break;
    struct word word = {start, (size_t)(p - start), 1};
    size_t i = 0;
    while (i < task->used && compare_words(&task->words[i], &word) != 0) i++;
    if (i < task->used) task->words[i].count++;
    else task->words[task->used++] = word;
  }
  qsort(task->words, task->used, sizeof task->words[0], compare_words);
  pthread_exit(task);
}

int main(void) {
  struct task *task = calloc(1, sizeof *task);
  pthread_t thread;
  void *result;
  task->text = "to be, or not to be";
  if (pthread_create(&thread, NULL, count, task) != 0) return 1;
  pthread_join(thread, &result);
  if (result != task) return 2;
  for (size_t i = 0; i < task->used; i++) {
    const struct word *w = &task->words[i];
    printf("%-4.*s %u\n", (int)w->length, w->start, w->count);
  }
  struct word key = {"or", 2, 0};
  struct word *found = bsearch(&key, task->words, task->used, sizeof key, compare_words);
  printf("%s %" PRIu64 " %lld %hhd|%+d|% d|%05d|%-5d|%o\n", found ? "found" : "missing", UINT64_C(18446744073709551615),
         -1LL, (signed char)200, 5, 5, -42, 42, 8u);
  printf("%d %d %d\n", strcmp("abc", "abd") < 0, strstr("haystack", "st") != NULL, (int)strcspn("hello", "l"));
  errno = 0;
  long huge = strtol("99999999999999999999", NULL, 10);
  printf("%d %d\n", huge > 0, errno == ERANGE);
  task = realloc(task, 2 * sizeof *task);
  printf("%zu\n", task->used);
  free(task);
  return 0;
}
