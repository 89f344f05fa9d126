#ifndef FENCEPOST_SYS_SENDFILE_H
#define FENCEPOST_SYS_SENDFILE_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declared only. */
ssize_t sendfile(int to, int from, off_t *offset, size_t count);

#ifdef __cplusplus
}
#endif

#endif
