/* Concurrency Kit's byte lock: a writer changes two variables, a reader sees both or neither changed. */
#include <ck_bytelock.h>

#include "../driver.h"

static ck_bytelock_t lock = CK_BYTELOCK_INITIALIZER;
static int first, second;

static void writer(void) {
    ck_bytelock_write_lock(&lock, 1);
    first++;
    second++;
    ck_bytelock_write_unlock(&lock);
}

static void reader(void) {
    ck_bytelock_read_lock(&lock, 2);
    assert(first == second);
    ck_bytelock_read_unlock(&lock, 2);
}

int main(void) {
    run(writer, reader);
    return 0;
}
