/* A lock of ConcurrencyFreaks: two threads count. */
#include "mpsc_mutex.h"

#include "../driver.h"

static mpsc_mutex_t lock;
static int count;

static void counter(void) {
    mpsc_mutex_lock(&lock);
    count++;
    mpsc_mutex_unlock(&lock);
}

int main(void) {
    mpsc_mutex_init(&lock);
    run(counter, counter);
    assert(count == 2);
    mpsc_mutex_destroy(&lock);
    return 0;
}
