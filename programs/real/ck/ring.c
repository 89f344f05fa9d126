/* Concurrency Kit's ring with one producer and one consumer, who gets what was put in, in order. */
#include <ck_ring.h>

#include "../driver.h"

static ck_ring_t ring;
static ck_ring_buffer_t buffer[2];
static int values[2];

static void producer(void) {
    for (int i = 0; i < 2; i++) {
        values[i] = i + 1;
        while (ck_ring_size(&ring) == 1) {
        }
        ck_ring_enqueue_spsc(&ring, buffer, &values[i]);
    }
}

static void consumer(void) {
    for (int i = 0; i < 2; i++) {
        void *value;
        while (ck_ring_size(&ring) == 0) {
        }
        ck_ring_dequeue_spsc(&ring, buffer, &value);
        assert(*(int *)value == i + 1);
    }
}

int main(void) {
    ck_ring_init(&ring, 2);
    run(producer, consumer);
    return 0;
}
