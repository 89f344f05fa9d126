/* lfqueue with two consumers: what was put in comes out once. */
#include "lfqueue.h"

#include "../driver.h"

static lfqueue_t queue;
static int values[2];
static void *got[2];

static void consumer0(void) { got[0] = lfqueue_deq(&queue); }
static void consumer1(void) { got[1] = lfqueue_deq(&queue); }

int main(void) {
    lfqueue_init(&queue);
    lfqueue_enq(&queue, &values[0]);
    lfqueue_enq(&queue, &values[1]);
    run(consumer0, consumer1);
    assert(got[0] != NULL && got[1] != NULL && got[0] != got[1]);
    return 0;
}
