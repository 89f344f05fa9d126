/* Zephyr's queue for one producer and one consumer, who gets what was put in, in order. */
#include "autoconf.h"
#include <zephyr/toolchain.h>

#include <zephyr/sys/spsc_lockfree.h>

#include "../driver.h"

SPSC_DEFINE(queue, int, 2)

static void producer(void) {
    for (int i = 1; i <= 3; i++) {
        int *slot;
        while ((slot = spsc_acquire(&queue)) == NULL) {
        }
        *slot = i;
        spsc_produce(&queue);
    }
}

static void consumer(void) {
    for (int i = 1; i <= 3; i++) {
        int *slot;
        while ((slot = spsc_consume(&queue)) == NULL) {
        }
        assert(*slot == i);
        spsc_release(&queue);
    }
}

int main(void) {
    run(producer, consumer);
    return 0;
}
