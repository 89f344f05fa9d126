/* DPDK's ticket lock: two threads count. */
#include <rte_ticketlock.h>

#include "../driver.h"

static rte_ticketlock_t lock = RTE_TICKETLOCK_INITIALIZER;
static int count;

static void counter(void) {
    rte_ticketlock_lock(&lock);
    count++;
    rte_ticketlock_unlock(&lock);
}

int main(void) {
    run(counter, counter);
    assert(count == 2);
    return 0;
}
