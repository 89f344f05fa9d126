/* nginx's mutex in shared memory, which falls back on a semaphore: two processes, here threads, count.
   Each process has a variable `ngx_pid`; here it is one of each thread, for which the row has `-D` too. */
#include <ngx_config.h>
#include <ngx_core.h>

#include "../driver.h"

ngx_int_t ngx_ncpu = 1;
static __thread ngx_pid_t pid_here;
ngx_pid_t *pid_of_thread() { return &pid_here; }
volatile ngx_cycle_t *ngx_cycle;

static ngx_shmtx_sh_t shared;
static ngx_shmtx_t mutex;
static int count;

static void counter(ngx_pid_t pid) {
    pid_here = pid;
    ngx_shmtx_lock(&mutex);
    count++;
    ngx_shmtx_unlock(&mutex);
}

static void counter1(void) { counter(1); }
static void counter2(void) { counter(2); }

int main(void) {
    ngx_shmtx_create(&mutex, &shared, NULL);
    run(counter1, counter2);
    assert(count == 2);
    return 0;
}
