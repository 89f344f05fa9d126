/* libuv's portable locks: two threads initialise once, and count. */
#include <uv.h>

#include "../driver.h"

static uv_once_t once = UV_ONCE_INIT;
static uv_mutex_t mutex;
static int initialised, count;

static void initialise(void) {
    uv_mutex_init(&mutex);
    initialised++;
}

static void counter(void) {
    uv_once(&once, initialise);
    uv_mutex_lock(&mutex);
    count++;
    uv_mutex_unlock(&mutex);
}

int main(void) {
    run(counter, counter);
    assert(initialised == 1 && count == 2);
    return 0;
}
