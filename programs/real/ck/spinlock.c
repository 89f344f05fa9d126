/* Concurrency Kit's spin locks: two threads count. `LOCK` is one of `cas`, `fas`, `dec`, `ticket`, `anderson` and so on. */
#include <ck_spinlock.h>

#include "../driver.h"

#define JOIN(a, b, c) a##b##c
#define NAME(lock, suffix) JOIN(ck_spinlock_, lock, suffix)

static NAME(LOCK, _t) lock;
static int count;

static void counter(void) {
    NAME(LOCK, _lock)(&lock);
    count++;
    NAME(LOCK, _unlock)(&lock);
}

int main(void) {
    NAME(LOCK, _init)(&lock);
    run(counter, counter);
    assert(count == 2);
    return 0;
}
