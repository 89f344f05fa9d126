/* userspace-rcu's lock-free stack: two threads push, one takes all. What comes out has its contents. */
#include <urcu/lfstack.h>

#include "../driver.h"

struct item {
    struct cds_lfs_node node; /* first: a pointer to it is one to the item */
    int value;
};

static struct cds_lfs_stack stack;
static struct item items[2];

static void push(struct item *item) {
    cds_lfs_node_init(&item->node);
    item->value = 1;
    cds_lfs_push(&stack, &item->node);
}

static void pusher0(void) { push(&items[0]); }
static void pusher1(void) { push(&items[1]); }

static void popper(void) {
    struct cds_lfs_head *all = __cds_lfs_pop_all(&stack);
    struct cds_lfs_node *node = all == NULL ? NULL : &all->node;
    for (; node != NULL; node = node->next) assert(((struct item *)node)->value == 1);
}

int main(void) {
    cds_lfs_init(&stack);
    run(pusher0, pusher1, popper);
    cds_lfs_destroy(&stack);
    return 0;
}
