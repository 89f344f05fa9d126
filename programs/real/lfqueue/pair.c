/* lfqueue with one producer and one consumer: first in, first out. */
#include "lfqueue.h"

#include "../driver.h"

static lfqueue_t queue;
static int values[2];

static void producer(void) {
    for (int i = 0; i < 2; i++) {
        values[i] = i + 1;
        lfqueue_enq(&queue, &values[i]);
    }
}

static void consumer(void) {
    int last = 0;
    for (int i = 0; i < 2; i++) {
        int *value = lfqueue_single_deq(&queue);
        if (value == NULL) continue;
        assert(*value == last + 1);
        last = *value;
    }
}

int main(void) {
    lfqueue_init(&queue);
    run(producer, consumer);
    return 0;
}
