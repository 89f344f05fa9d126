/* libuv's barrier: what each thread wrote before it, the other reads after it. */
#include <uv.h>

#include "../driver.h"

static uv_barrier_t barrier;
static int left, right, last;

static void first(void) {
    left = 1;
    if (uv_barrier_wait(&barrier)) last++;
    assert(right == 1);
}

static void second(void) {
    right = 1;
    if (uv_barrier_wait(&barrier)) last++;
    assert(left == 1);
}

int main(void) {
    uv_barrier_init(&barrier, 2);
    run(first, second);
    assert(last == 1);
    uv_barrier_destroy(&barrier);
    return 0;
}
