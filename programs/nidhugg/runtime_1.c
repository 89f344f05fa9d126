/*
 * Threads, locks and memory pools of the runtime (`runtime/`), in place of [NIDHUGG] Table 1, apr_1.c: a library of
 * some size, part of which a program uses.
 *
 * WORKERS threads share a root pool. Each gets a pool of its own under it, creates another one inside; builds a line
 * of text there; and enters it, under a mutex, into an array that all share, copied to the array's own pool. Pools are
 * destroyed while other threads create theirs. At the end, every cleanup must have run, and every line be there.
 *
 * Everything shared is under a lock, or handed over by creating and joining threads: it is correct under every model,
 * and all of them have the same executions. Loops have a fixed number of rounds.
 *
 *   fencepost check programs/nidhugg/runtime_1.c programs/nidhugg/runtime/?*.c
 */
#include "runtime/array.h"
#include "runtime/atomic.h"
#include "runtime/lock.h"
#include "runtime/text.h"
#include "runtime/thread.h"

#include <assert.h>
#include <string.h>

#ifndef WORKERS
#define WORKERS 2
#endif

typedef struct journal {
  rt_mutex *mutex;
  rt_array *lines; /* of char * */
} journal;

static journal shared;
static rt_atomic cleanups;

static void count_cleanup(void *unused) {
  (void)unused;
  rt_atomic_add(&cleanups, 1);
}

static rt_status enter_line(journal *to, const char *text) {
  RT_TRY(rt_mutex_lock(to->mutex));
  char **place = rt_array_push(to->lines);
  rt_status status = place == 0 ? RT_NO_MEMORY : RT_OK;
  if (place != 0) *place = rt_text_copy(to->lines->pool, text);
  RT_TRY(rt_mutex_unlock(to->mutex));
  return status;
}

static rt_status worker(rt_thread *self, void *data) {
  int number = *(int *)data;
  rt_pool *scratch;
  RT_TRY(rt_pool_create(&scratch, rt_pool_parent(rt_thread_pool(self))));
  RT_TRY(rt_pool_on_cleanup(scratch, count_cleanup, 0));
  char *line = rt_text_concat(scratch, rt_thread_name(self), " ", rt_text_from_int(scratch, number, 10), (char *)0);
  if (line == 0) return RT_NO_MEMORY;
  RT_TRY(enter_line(&shared, line));
  rt_pool_destroy(scratch);
  return RT_OK;
}

static int by_text(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

int main(void) {
  static const rt_thread_options options = {"w", 0};
  rt_pool *root, *lines_pool;
  assert(rt_pool_create_root(&root, 0) == RT_OK);
  assert(rt_pool_create(&lines_pool, root) == RT_OK);
  assert(rt_mutex_create(&shared.mutex, root) == RT_OK);
  shared.lines = rt_array_create(lines_pool, 1, sizeof(char *));
  assert(shared.lines != 0);

  rt_thread *threads[WORKERS];
  int numbers[WORKERS];
  for (int i = 0; i < WORKERS; i++) {
    numbers[i] = i + 1;
    assert(rt_thread_start(&threads[i], root, &options, worker, &numbers[i]) == RT_OK);
  }
  for (int i = 0; i < WORKERS; i++) {
    rt_status result;
    assert(rt_thread_join(threads[i], &result) == RT_OK);
    assert(result == RT_OK);
  }

  assert(rt_atomic_read(&cleanups) == WORKERS);
  assert(shared.lines->length == WORKERS);
  assert(rt_array_sort(shared.lines, by_text) == RT_OK);
  for (int i = 0; i < WORKERS; i++) {
    const char *line = *(char **)rt_array_at(shared.lines, (size_t)i);
    assert(rt_text_matches(line, "w ?") && line[2] == '1' + i);
  }
  rt_pool_destroy(root);
  return 0;
}
