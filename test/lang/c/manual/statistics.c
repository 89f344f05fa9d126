/* expect: correct; same output always */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef double (*reduce_fn)(double, double);

typedef struct {
  const double *values;
  size_t count;
  reduce_fn reduce;
  double start, result;
} request;

static double sum(double a, double b) { return a + b; }
static double sum_of_squares(double a, double b) { return a + pow(b, 2.0); }
static double largest(double a, double b) { return fmax(a, b); }

static void *handle(void *argument) {
  request *r = argument;
  double result = r->start;
  for (size_t i = 0; i < r->count; i++) result = r->reduce(result, r->values[i]);
  r->result = result;
  return NULL;
}

int main(void) {
  static const double values[] = {2.5, -1.25, 4.0, 10.75};
  enum { COUNT = sizeof values / sizeof values[0] };
  static request requests[] = {
      {values, COUNT, sum, 0, 0}, {values, COUNT, sum_of_squares, 0, 0}, {values, COUNT, largest, -DBL_MAX, 0}};
  pthread_t threads[3];
  for (int i = 0; i < 3; i++) {
    if (pthread_create(&threads[i], NULL, handle, &requests[i])) return 1;
  }
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  double mean = requests[0].result / COUNT;
  double deviation = sqrt(requests[1].result / COUNT - mean * mean);
  printf("mean %.4f deviation %.6f largest %g\n", mean, deviation, requests[2].result);
  printf("%.3e %g %g %.0f %.1f\n", 123456.789, 1e-5, 1e20, 2.5, fmod(7.25, 2));
  printf("%ld %d %.3f %.2f\n", lround(-2.5), (int)floor(-0.5), pow(2, 0.5), strtod("1.5e2x", NULL));
  return isnan(mean) || isinf(deviation) ? EXIT_FAILURE : EXIT_SUCCESS;
}
