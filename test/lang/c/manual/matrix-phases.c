/* expect: correct; same output always; arguments: 2 */
/*
 * A small matrix is squared row by row, then transposed, by threads that meet at a barrier after each phase; the serial
 * thread prints. Readers and a writer share a title under a read-write lock.
 */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 2
#define MIN(a, b) ((a) < (b) ? (a) : (b))

typedef int64_t matrix_t[N][N];

union phase_argument {
  void *pointer;
  uintptr_t number;
};

struct shared {
  matrix_t from, to;
  pthread_barrier_t *barrier;
  pthread_rwlock_t title_lock;
  char title[24];
  unsigned threads;
};

static struct shared *shared;

static void set_title(const char *text) {
  pthread_rwlock_wrlock(&shared->title_lock);
  strncpy(shared->title, text, sizeof shared->title - 1);
  shared->title[sizeof shared->title - 1] = '\0';
  pthread_rwlock_unlock(&shared->title_lock);
}

static void get_title(char *buffer, size_t size) {
  pthread_rwlock_rdlock(&shared->title_lock);
  memmove(buffer, shared->title, MIN(size, sizeof shared->title));
  pthread_rwlock_unlock(&shared->title_lock);
}

static void square_row(unsigned row) {
  for (unsigned column = 0; column < N; column++) {
    int64_t sum = 0;
    for (unsigned k = 0; k < N; k++) sum += shared->from[row][k] * shared->from[k][column];
    shared->to[row][column] = sum;
  }
}

static void transpose_row(unsigned row) {
  for (unsigned column = 0; column < N; column++) shared->from[column][row] = shared->to[row][column];
}

static void print(const matrix_t *matrix) {
  char title[24];
  get_title(title, sizeof title);
  puts(title);
  double squares = 0;
  for (const int64_t *row = (*matrix)[0]; row < (*matrix)[0] + N * N; row += N) {
    for (int column = 0; column < N; column++) {
      printf("%5" PRId64 "%s", row[column], column == N - 1 ? "\n" : " ");
      squares += (double)row[column] * (double)row[column];
    }
  }
  printf("norm %.3f\n", sqrt(squares));
}

static const struct phase {
  const char *title;
  void (*run)(unsigned row);
  size_t result;
} phases[] = {
    {"squared", square_row, offsetof(struct shared, to)},
    {"transposed", transpose_row, offsetof(struct shared, from)},
};

static void *run_phases(void *argument) {
  union phase_argument self = {.pointer = argument};
  for (const struct phase *phase = phases; phase != phases + sizeof phases / sizeof *phases; ++phase) {
    for (unsigned row = (unsigned)self.number; row < N; row += shared->threads) phase->run(row);
    switch (pthread_barrier_wait(shared->barrier)) {
      case PTHREAD_BARRIER_SERIAL_THREAD:
        set_title(phase->title);
        print((const matrix_t *)((const char *)shared + phase->result));
        /* fall through */
      case 0: break;
      default: abort();
    }
    pthread_barrier_wait(shared->barrier);
  }
  return NULL;
}

int main(int argc, char **argv) {
  shared = calloc(1, sizeof *shared);
  if (shared == NULL) return 1;
  shared->threads = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  if (shared->threads == 0 || shared->threads > N) return 1;
  const matrix_t start = {{1, 2}, {3, 4}};
  memcpy(shared->from, start, sizeof start);
  pthread_rwlock_init(&shared->title_lock, NULL);
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, NULL, shared->threads);
  shared->barrier = &barrier;
  pthread_t threads[N];
  for (uintptr_t i = 1; i < shared->threads; i++) {
    union phase_argument argument = {.number = i};
    pthread_create(&threads[i], NULL, run_phases, argument.pointer);
  }
  run_phases(NULL);
  for (unsigned i = 1; i < shared->threads; i++) pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&barrier);
  pthread_rwlock_destroy(&shared->title_lock);
  free(shared);
  return 0;
}
