#ifndef FENCEPOST_MEMORY_H
#define FENCEPOST_MEMORY_H

#include <string.h>

#endif
