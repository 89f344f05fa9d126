/* liburing's submission queue, polled by the kernel, here a thread: it never sees a request before its contents. */
#include <queue.c>

#include "../driver.h"

static struct io_uring ring;
static unsigned head, tail, flags, array[2];
static struct io_uring_sqe requests[2];

static void application(void) {
    struct io_uring_sqe *request = io_uring_get_sqe(&ring);
    assert(request != NULL);
    request->user_data = 42;
    __io_uring_flush_sq(&ring);
}

static void kernel(void) {
    if (__atomic_load_n(&tail, __ATOMIC_ACQUIRE) == 1) {
        assert(requests[0].user_data == 42);
        __atomic_store_n(&head, 1, __ATOMIC_RELEASE);
    }
}

int main(void) {
    ring.flags = IORING_SETUP_SQPOLL;
    ring.sq.khead = &head;
    ring.sq.ktail = &tail;
    ring.sq.kflags = &flags;
    ring.sq.array = array;
    ring.sq.sqes = requests;
    ring.sq.ring_mask = 1;
    ring.sq.ring_entries = 2;
    run(application, kernel);
    return 0;
}
