/* Skynet's spin lock: two threads count. */
#include "spinlock.h"

#include "../driver.h"

static struct spinlock lock;
static int count;

static void counter(void) {
    spinlock_lock(&lock);
    count++;
    spinlock_unlock(&lock);
}

int main(void) {
    spinlock_init(&lock);
    run(counter, counter);
    assert(count == 2);
    return 0;
}
