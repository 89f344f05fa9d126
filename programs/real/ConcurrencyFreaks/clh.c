/* A lock of ConcurrencyFreaks: two threads count. */
#include "clh_mutex.h"

#include "../driver.h"

static clh_mutex_t lock;
static int count;

static void counter(void) {
    clh_mutex_lock(&lock);
    count++;
    clh_mutex_unlock(&lock);
}

int main(void) {
    clh_mutex_init(&lock);
    run(counter, counter);
    assert(count == 2);
    clh_mutex_destroy(&lock);
    return 0;
}
