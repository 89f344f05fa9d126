/* JACK's ring buffer: one thread writes two records, another reads them. It reads what was written, in order. */
#include <jack/ringbuffer.h>

#include "../driver.h"

static jack_ringbuffer_t *ring;

static void writer(void) {
    for (char record = 1; record <= 2; record++) {
        while (jack_ringbuffer_write(ring, &record, 1) == 0) {
        }
    }
}

static void reader(void) {
    for (char expected = 1; expected <= 2; expected++) {
        char record = 0;
        while (jack_ringbuffer_read(ring, &record, 1) == 0) {
        }
        assert(record == expected);
    }
}

int main(void) {
    ring = jack_ringbuffer_create(2);
    run(writer, reader);
    jack_ringbuffer_free(ring);
    return 0;
}
