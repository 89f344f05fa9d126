/* userspace-rcu's wait-free queue: two threads enqueue, one dequeues. What comes out has its contents. */
#include <urcu/wfcqueue.h>

#include "../driver.h"

struct item {
    struct cds_wfcq_node node; /* first: a pointer to it is one to the item */
    int value;
};

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item items[2];

static void enqueue(struct item *item) {
    cds_wfcq_node_init(&item->node);
    item->value = 1;
    cds_wfcq_enqueue(&head, &tail, &item->node);
}

static void producer0(void) { enqueue(&items[0]); }
static void producer1(void) { enqueue(&items[1]); }

static void consumer(void) {
    struct item *item = (struct item *)__cds_wfcq_dequeue_nonblocking(&head, &tail);
    if (item == NULL || (struct cds_wfcq_node *)item == CDS_WFCQ_WOULDBLOCK) return;
    assert(item->value == 1);
}

int main(void) {
    cds_wfcq_init(&head, &tail);
    run(producer0, producer1, consumer);
    return 0;
}
