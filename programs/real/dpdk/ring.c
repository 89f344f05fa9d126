/* DPDK's ring with several producers and one consumer: two threads enqueue, one dequeues. What comes out has its contents. */
#include <rte_ring.h>

#include "../driver.h"

static struct {
    struct rte_ring ring;
    void *slots[4];
} memory;

static int items[2];

static void enqueue(int which) {
    items[which] = 1;
    rte_ring_mp_enqueue(&memory.ring, &items[which]);
}

static void producer0(void) { enqueue(0); }
static void producer1(void) { enqueue(1); }

static void consumer(void) {
    void *item;
    if (rte_ring_sc_dequeue(&memory.ring, &item) == 0) assert(*(int *)item == 1);
}

int main(void) {
    rte_ring_init(&memory.ring, "ring", 4, RING_F_SC_DEQ);
    run(producer0, producer1, consumer);
    return 0;
}
