#ifndef FENCEPOST_UTIME_H
#define FENCEPOST_UTIME_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct utimbuf {
  time_t actime;
  time_t modtime;
};

/* Declared only. */
int utime(const char *path, const struct utimbuf *times);

#ifdef __cplusplus
}
#endif

#endif
