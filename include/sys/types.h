#ifndef FENCEPOST_SYS_TYPES_H
#define FENCEPOST_SYS_TYPES_H

#include <fencepost/types.h>

#endif
