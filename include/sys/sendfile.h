#ifndef FENCEPOST_SYS_SENDFILE_H
#define FENCEPOST_SYS_SENDFILE_H

#include <fencepost/types.h>

/* Declared only. */
ssize_t sendfile(int to, int from, off_t *offset, size_t count);

#endif
