/* nsync's mutex: two threads count. */
#include "nsync.h"

#include "../driver.h"

static nsync_mu mu = NSYNC_MU_INIT;
static int count;

static void counter(void) {
    nsync_mu_lock(&mu);
    count++;
    nsync_mu_unlock(&mu);
}

int main(void) {
    run(counter, counter);
    assert(count == 2);
    return 0;
}
