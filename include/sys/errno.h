#ifndef FENCEPOST_SYS_ERRNO_H
#define FENCEPOST_SYS_ERRNO_H

#include <errno.h>

#endif
