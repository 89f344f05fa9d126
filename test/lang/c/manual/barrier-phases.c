/* expect: correct; same output always */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define N 2
#define PHASES 2

static pthread_barrier_t barrier;
static int cells[2][N];
static int serial_count;

static void *simulate(void *argument) {
  const long id = (long)argument;
  for (int phase = 0; phase < PHASES; phase++) {
    int (*from)[N] = &cells[phase % 2], (*to)[N] = &cells[(phase + 1) % 2];
    (*to)[id] = (*from)[id] + (*from)[(id + 1) % N];
    switch (pthread_barrier_wait(&barrier)) {
      case PTHREAD_BARRIER_SERIAL_THREAD:
        serial_count++;
        /* fall through */
      case 0:
        break;
      default:
        assert(!"barrier failed");
    }
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t other;
  if (pthread_barrier_init(&barrier, NULL, 0) == 0) return 1;
  pthread_barrier_init(&barrier, NULL, N);
  cells[0][0] = 1;
  cells[0][1] = 2;
  pthread_create(&other, NULL, simulate, (void *)1);
  simulate((void *)0);
  pthread_join(other, NULL);
  pthread_barrier_destroy(&barrier);
  printf("%d %d, serial %d\n", cells[PHASES % 2][0], cells[PHASES % 2][1], serial_count);
  assert(cells[0][0] == 6 && cells[0][1] == 6 && serial_count == PHASES);
  return 0;
}
