/* A lock of ConcurrencyFreaks: two threads count. */
#include "ticket_mutex.h"

#include "../driver.h"

static ticket_mutex_t lock;
static int count;

static void counter(void) {
    ticket_mutex_lock(&lock);
    count++;
    ticket_mutex_unlock(&lock);
}

int main(void) {
    ticket_mutex_init(&lock);
    run(counter, counter);
    assert(count == 2);
    ticket_mutex_destroy(&lock);
    return 0;
}
