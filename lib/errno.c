/* The name is glibc's, so that files preprocessed against glibc also call this. */
#include <errno.h>

/* Reports show its name. */
#undef errno
static __thread int errno;

int *__errno_location(void) { return &errno; }
