/* nsync's once: two threads initialise, one of them does it, and both see it done. */
#include "nsync.h"

#include "../driver.h"

static nsync_once once = NSYNC_ONCE_INIT;
static int value;

static void initialise(void) { value++; }

static void user(void) {
    nsync_run_once_spin(&once, initialise);
    assert(value == 1);
}

int main(void) {
    run(user, user);
    return 0;
}
