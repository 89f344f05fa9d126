/* Concurrency Kit's stack: two threads push, one pops. Who pops an entry sees what was written to it. */
#include <ck_stack.h>

#include "../driver.h"

struct item {
    ck_stack_entry_t entry; /* first: a pointer to it is one to the item */
    int value;
};

static ck_stack_t stack = CK_STACK_INITIALIZER;
static struct item items[2];

static void push(struct item *item) {
    item->value = 1;
    ck_stack_push_upmc(&stack, &item->entry);
}

static void pusher0(void) { push(&items[0]); }
static void pusher1(void) { push(&items[1]); }

static void popper(void) {
    for (int i = 0; i < 2; i++) {
        struct item *item = (struct item *)ck_stack_pop_upmc(&stack);
        assert(item == NULL || item->value == 1);
    }
}

int main(void) {
    run(pusher0, pusher1, popper);
    return 0;
}
