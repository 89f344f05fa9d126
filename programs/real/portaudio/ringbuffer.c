/* PortAudio's ring buffer: one thread writes two elements, another reads them. It reads what was written, in order. */
#include "pa_ringbuffer.h"

#include "../driver.h"

static PaUtilRingBuffer ring;
static int elements[1];

static void writer(void) {
    for (int element = 1; element <= 2; element++) {
        while (PaUtil_GetRingBufferWriteAvailable(&ring) == 0) {
        }
        PaUtil_WriteRingBuffer(&ring, &element, 1);
    }
}

static void reader(void) {
    for (int expected = 1; expected <= 2; expected++) {
        int element = 0;
        while (PaUtil_GetRingBufferReadAvailable(&ring) == 0) {
        }
        PaUtil_ReadRingBuffer(&ring, &element, 1);
        assert(element == expected);
    }
}

int main(void) {
    PaUtil_InitializeRingBuffer(&ring, sizeof(int), 1, elements);
    run(writer, reader);
    return 0;
}
