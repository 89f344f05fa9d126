#ifndef FENCEPOST_WAIT_H
#define FENCEPOST_WAIT_H

#include <sys/wait.h>

#endif
