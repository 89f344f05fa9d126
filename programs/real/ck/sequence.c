/* Concurrency Kit's sequence lock: a writer changes two variables, a reader sees both or neither changed. */
#include <ck_sequence.h>

#include "../driver.h"

static ck_sequence_t lock = CK_SEQUENCE_INITIALIZER;
static unsigned first, second;

static void writer(void) {
    ck_sequence_write_begin(&lock);
    ck_pr_store_uint(&first, 1);
    ck_pr_store_uint(&second, 1);
    ck_sequence_write_end(&lock);
}

static void reader(void) {
    unsigned a, b, version;
    do {
        version = ck_sequence_read_begin(&lock);
        a = ck_pr_load_uint(&first);
        b = ck_pr_load_uint(&second);
    } while (ck_sequence_read_retry(&lock, version));
    assert(a == b);
}

int main(void) {
    run(writer, reader);
    return 0;
}
