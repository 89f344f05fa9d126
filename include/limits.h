/* The compiler's limits, and POSIX's additions. */
#include_next <limits.h>

#ifndef FENCEPOST_LIMITS_H
#define FENCEPOST_LIMITS_H

#define SSIZE_MAX __PTRDIFF_MAX__
#define NAME_MAX 255
#define PATH_MAX 4096
#define LINE_MAX 2048
#define PIPE_BUF 4096
#define IOV_MAX 1024
#define PTHREAD_STACK_MIN 16384
#define PTHREAD_KEYS_MAX 128
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define SEM_VALUE_MAX 0x7fffffff

#endif
