/**
 * Programs that race in a single SC execution, so that a search in parts sees it in only one of them. Apart from that,
 * they are ordered as RC11 needs to have no other executions than SC.
 */
const racingIf = (sum: number): string => `
#include <pthread.h>
#include <stdatomic.h>
enum { N = 6 };
atomic_int x, saw[N];
int plain;
static void *writer(void *a) { x = 1; return 0; }
static void *reader(void *a) { if (x) *(atomic_int *)a = 1; return 0; }
static void *racer(void *a) { plain = 1; return 0; }
int main(void) {
  pthread_t t[N + 1];
  pthread_create(t + N, 0, writer, 0);
  for (int i = 0; i < N; i++) pthread_create(t + i, 0, reader, saw + i);
  for (int i = 0; i <= N; i++) pthread_join(t[i], 0);
  // Not in a loop, which might be one that waits.
  int sum = saw[0] + saw[1] + saw[2] + saw[3] + saw[4] + saw[5];
  if (sum == ${sum}) {
    pthread_create(t, 0, racer, 0);
    plain = 2;
    pthread_join(t[0], 0);
  }
}`;

/** In none. */
export const NOT_RACING: string = racingIf(7);
/** In the execution that is explored first. */
export const RACING_EARLY: string = racingIf(6);
/** In the last one. */
export const RACING_LATE: string = racingIf(0);
