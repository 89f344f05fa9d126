#ifndef FENCEPOST_SYS_SYSCALL_H
#define FENCEPOST_SYS_SYSCALL_H

/* For syscall of <unistd.h>; there are no others. */
#define SYS_gettid 224
#define __NR_gettid SYS_gettid
#define SYS_getpid 20
#define __NR_getpid SYS_getpid
#define SYS_sched_yield 158
#define __NR_sched_yield SYS_sched_yield

#endif
