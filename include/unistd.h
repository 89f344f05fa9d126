#ifndef FENCEPOST_UNISTD_H
#define FENCEPOST_UNISTD_H

#include <fencepost/types.h>

/* Time does not pass: any sleep may end at once, and other threads may run meanwhile as they may at any moment. */
unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);

__attribute__((__noreturn__)) void _exit(int status);

#endif
