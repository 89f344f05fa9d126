/* The name is glibc's, so that files preprocessed against glibc also call this. */
#include <errno.h>

static __thread int value;

int *__errno_location(void) { return &value; }
