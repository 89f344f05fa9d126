/* Michael and Scott's queue with hazard pointers: two threads dequeue, and one of them frees nodes. Nobody uses a freed node. */
#include "queue.h"

#include "../driver.h"

static queue_t queue;
static handle_t freeing, other;
static int items[4];

static void dequeuer0(void) { dequeue(&queue, &freeing); }
static void dequeuer1(void) { dequeue(&queue, &other); }

int main(void) {
    queue_init(&queue, 2);
    queue_register(&queue, &freeing, 0);
    queue_register(&queue, &other, 1);
    /* Three nodes are retired; the next one makes it four, and they are freed. */
    for (int i = 0; i < 4; i++) {
        enqueue(&queue, &freeing, &items[i]);
        if (i < 3) dequeue(&queue, &freeing);
    }
    run(dequeuer0, dequeuer1);
    return 0;
}
