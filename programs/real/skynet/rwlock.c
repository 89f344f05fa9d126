/* Skynet's read-write lock: a writer changes two variables, a reader sees both or neither changed. */
#include "rwlock.h"

#include "../driver.h"

static struct rwlock lock;
static int first, second;

static void writer(void) {
    rwlock_wlock(&lock);
    first++;
    second++;
    rwlock_wunlock(&lock);
}

static void reader(void) {
    rwlock_rlock(&lock);
    assert(first == second);
    rwlock_runlock(&lock);
}

int main(void) {
    rwlock_init(&lock);
    run(writer, reader);
    return 0;
}
