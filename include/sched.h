#ifndef FENCEPOST_SCHED_H
#define FENCEPOST_SCHED_H

#include <fencepost/types.h>

int sched_yield(void);

#endif
