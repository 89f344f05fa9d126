/* Zephyr's queue for several producers and one consumer: two push, one pops. A node that is popped has its contents. */
#include "autoconf.h"
#include <zephyr/sys/mpsc_lockfree.h>

#include "../driver.h"

struct item {
    struct mpsc_node node; /* first: a pointer to it is one to the item */
    int value;
};

static struct mpsc queue;
static struct item items[2];

static void push(struct item *item) {
    item->value = 1;
    mpsc_push(&queue, &item->node);
}

static void producer0(void) { push(&items[0]); }
static void producer1(void) { push(&items[1]); }

static void consumer(void) {
    for (int i = 0; i < 2; i++) {
        struct item *item = (struct item *)mpsc_pop(&queue);
        assert(item == NULL || item->value == 1);
    }
}

int main(void) {
    mpsc_init(&queue);
    run(producer0, producer1, consumer);
    return 0;
}
