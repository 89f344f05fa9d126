#ifndef FENCEPOST_SYS_FCNTL_H
#define FENCEPOST_SYS_FCNTL_H

#include <fcntl.h>

#endif
