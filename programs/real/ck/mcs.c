/* Concurrency Kit's queue lock of Mellor-Crummey and Scott: two threads count. */
#include <ck_spinlock.h>

#include "../driver.h"

static ck_spinlock_mcs_t lock = CK_SPINLOCK_MCS_INITIALIZER;
static int count;

static void counter(void) {
    ck_spinlock_mcs_context_t node;
    ck_spinlock_mcs_lock(&lock, &node);
    count++;
    ck_spinlock_mcs_unlock(&lock, &node);
}

int main(void) {
    run(counter, counter);
    assert(count == 2);
    return 0;
}
