/* Skynet's message queues: two services send to a third one, whose worker takes the queue from the global one. */
#include "skynet.h"
#include "skynet_mq.h"

#include "../driver.h"

static struct message_queue *queue;
static int sum;

static void send(size_t size) {
    struct skynet_message message = {.sz = size};
    skynet_mq_push(queue, &message);
}

static void sender1(void) { send(1); }
static void sender2(void) { send(2); }

static void drain(void) {
    struct message_queue *taken = skynet_globalmq_pop();
    struct skynet_message message;
    if (taken == NULL) return;
    while (skynet_mq_pop(taken, &message) == 0) sum += (int)message.sz;
}

int main(void) {
    skynet_mq_init();
    queue = skynet_mq_create(1);
    struct skynet_message message;
    skynet_mq_pop(queue, &message); /* It is empty, so it no longer counts as being in the global queue. */
    run(sender1, sender2, drain);
    drain();
    assert(sum == 3);
    return 0;
}
