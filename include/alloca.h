#ifndef FENCEPOST_ALLOCA_H
#define FENCEPOST_ALLOCA_H

#define alloca(size) __builtin_alloca(size)

#endif
