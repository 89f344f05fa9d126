/* The stack of libatomic_ops: two threads push, one pops. Who pops an element sees what was written to it. */
#include "atomic_ops_stack.h"

#include "../driver.h"

struct element {
    AO_uintptr_t next; /* first: the stack knows its address */
    int value;
};

static AO_stack_t stack = AO_STACK_INITIALIZER;
static struct element elements[2] __attribute__((aligned(16)));

static void push(struct element *element) {
    element->value = 1;
    AO_stack_push(&stack, &element->next);
}

static void pusher0(void) { push(&elements[0]); }
static void pusher1(void) { push(&elements[1]); }

static void popper(void) {
    struct element *element = (struct element *)AO_stack_pop(&stack);
    assert(element == NULL || element->value == 1);
}

int main(void) {
    run(pusher0, pusher1, popper);
    return 0;
}
