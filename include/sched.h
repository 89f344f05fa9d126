#ifndef FENCEPOST_SCHED_H
#define FENCEPOST_SCHED_H

#include <fencepost/types.h>

int sched_yield(void);
/* A processor for each thread. */
int sched_getcpu(void);

#endif
