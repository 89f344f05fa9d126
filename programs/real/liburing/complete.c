/* liburing's completion queue, filled by the kernel, here a thread: a completion that is seen has its contents. */
#include <liburing.h>

#include "../driver.h"

static struct io_uring ring;
static unsigned head, tail, flags;
static struct io_uring_cqe completions[2];

static void kernel(void) {
    completions[0].user_data = 42;
    __atomic_store_n(&tail, 1, __ATOMIC_RELEASE);
    /* The entry is the kernel's again. */
    if (__atomic_load_n(&head, __ATOMIC_ACQUIRE) == 1) completions[0].user_data = 43;
}

static void application(void) {
    struct io_uring_cqe *completion;
    if (__io_uring_peek_cqe(&ring, &completion, NULL) == 0 && completion != NULL) {
        assert(completion->user_data == 42);
        io_uring_cqe_seen(&ring, completion);
    }
}

int main(void) {
    ring.cq.khead = &head;
    ring.cq.ktail = &tail;
    ring.cq.kflags = &flags;
    ring.cq.cqes = completions;
    ring.cq.ring_mask = 1;
    ring.cq.ring_entries = 2;
    ring.sq.kflags = &flags;
    run(kernel, application);
    return 0;
}
