/* DPDK's sequence lock: a writer changes two variables, a reader sees both or neither changed. */
#include <rte_seqlock.h>

#include "../driver.h"

static rte_seqlock_t lock = RTE_SEQLOCK_INITIALIZER;
static int first, second;

static void writer(void) {
    rte_seqlock_write_lock(&lock);
    __atomic_store_n(&first, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&second, 1, __ATOMIC_RELAXED);
    rte_seqlock_write_unlock(&lock);
}

static void reader(void) {
    int a, b;
    uint32_t version;
    do {
        version = rte_seqlock_read_begin(&lock);
        a = __atomic_load_n(&first, __ATOMIC_RELAXED);
        b = __atomic_load_n(&second, __ATOMIC_RELAXED);
    } while (rte_seqlock_read_retry(&lock, version));
    assert(a == b);
}

int main(void) {
    run(writer, reader);
    return 0;
}
