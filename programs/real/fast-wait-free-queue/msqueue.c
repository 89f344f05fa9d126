/* Michael and Scott's queue with hazard pointers: one thread enqueues, another dequeues. First in, first out. */
#include "queue.h"

#include "../driver.h"

static queue_t queue;
static handle_t writing, reading;
static int items[2];

static void enqueuer(void) {
    for (int i = 0; i < 2; i++) {
        items[i] = i + 1;
        enqueue(&queue, &writing, &items[i]);
    }
}

static void dequeuer(void) {
    int last = 0;
    for (int i = 0; i < 2; i++) {
        int *item = dequeue(&queue, &reading);
        if ((void *)item == EMPTY) continue;
        assert(*item == last + 1);
        last = *item;
    }
}

int main(void) {
    queue_init(&queue, 2);
    queue_register(&queue, &writing, 0);
    queue_register(&queue, &reading, 1);
    run(enqueuer, dequeuer);
    return 0;
}
