/* The name is glibc's, so that files preprocessed against it end up here too. */
#include <errno.h>

static __thread int value;

int *__errno_location(void) { return &value; }
