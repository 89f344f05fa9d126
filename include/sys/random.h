#ifndef FENCEPOST_SYS_RANDOM_H
#define FENCEPOST_SYS_RANDOM_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRND_NONBLOCK 1
#define GRND_RANDOM 2

/* Declared only. */
ssize_t getrandom(void *buffer, size_t size, unsigned flags);

#ifdef __cplusplus
}
#endif

#endif
