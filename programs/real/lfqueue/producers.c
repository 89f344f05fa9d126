/* lfqueue with `lfqueue_single_deq`, which is for any number of producers and one consumer: two produce, one consumes. */
#include "lfqueue.h"

#include "../driver.h"

static lfqueue_t queue;
static int values[2];

static void producer0(void) { lfqueue_enq(&queue, &values[0]); }
static void producer1(void) { lfqueue_enq(&queue, &values[1]); }

static void consumer(void) {
    int *value = lfqueue_single_deq(&queue);
    assert(value == NULL || value == &values[0] || value == &values[1]);
}

int main(void) {
    lfqueue_init(&queue);
    run(producer0, producer1, consumer);
    return 0;
}
