/* nginx's read-write lock: a writer changes two variables, a reader sees both or neither changed. */
#include <ngx_config.h>
#include <ngx_core.h>

#include "../driver.h"

ngx_int_t ngx_ncpu = 1;
static ngx_atomic_t lock;
static int first, second;

static void writer(void) {
    ngx_rwlock_wlock(&lock);
    first++;
    second++;
    ngx_rwlock_unlock(&lock);
}

static void reader(void) {
    ngx_rwlock_rlock(&lock);
    assert(first == second);
    ngx_rwlock_unlock(&lock);
}

int main(void) {
    run(writer, reader);
    return 0;
}
