/* DPDK's queue lock of Mellor-Crummey and Scott: two threads count. */
#include <rte_mcslock.h>

#include "../driver.h"

static RTE_ATOMIC(rte_mcslock_t *) lock;
static int count;

static void counter(void) {
    rte_mcslock_t node;
    rte_mcslock_lock(&lock, &node);
    count++;
    rte_mcslock_unlock(&lock, &node);
}

int main(void) {
    run(counter, counter);
    assert(count == 2);
    return 0;
}
