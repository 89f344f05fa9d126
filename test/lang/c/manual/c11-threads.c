/* expect: correct; same output always */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static tss_t scratch;
static mtx_t lock;
static cnd_t done;
static int finished, destroyed, initialised;
static thread_local int calls;

static void release(void *p) {
  mtx_lock(&lock);
  destroyed += *(int *)p;
  mtx_unlock(&lock);
  free(p);
}

static void initialise(void) {
  initialised++;
  if (tss_create(&scratch, release) != thrd_success) abort();
}

static int *get_scratch(void) {
  int *mine = tss_get(scratch);
  calls++;
  if (mine == NULL) {
    mine = malloc(sizeof *mine);
    *mine = 0;
    tss_set(scratch, mine);
  }
  return mine;
}

static int worker(void *argument) {
  call_once(&once, initialise);
  *get_scratch() += 1;
  *get_scratch() += *(const int *)argument;
  mtx_lock(&lock);
  finished++;
  cnd_signal(&done);
  mtx_unlock(&lock);
  if (calls != 2) thrd_exit(-1);
  return *get_scratch();
}

int main(void) {
  static const int extra = 40;
  thrd_t thread;
  int result;
  if (mtx_init(&lock, mtx_plain | mtx_recursive) != thrd_success || cnd_init(&done) != thrd_success) return 1;
  assert(thrd_create(&thread, worker, (void *)&extra) == thrd_success);
  call_once(&once, initialise);
  mtx_lock(&lock);
  while (finished == 0) cnd_wait(&done, &lock);
  mtx_unlock(&lock);
  assert(thrd_join(thread, &result) == thrd_success);
  printf("result %d, destroyed %d, initialised %d, my calls %d\n", result, destroyed, initialised, calls);
  assert(result == 41 && destroyed == 41 && initialised == 1 && calls == 0);
  assert(!thrd_equal(thread, thrd_current()));
  tss_delete(scratch);
  cnd_destroy(&done);
  mtx_destroy(&lock);
  return 0;
}
