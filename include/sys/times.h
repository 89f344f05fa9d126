#ifndef FENCEPOST_SYS_TIMES_H
#define FENCEPOST_SYS_TIMES_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tms {
  clock_t tms_utime;
  clock_t tms_stime;
  clock_t tms_cutime;
  clock_t tms_cstime;
};

/* Declared only. */
clock_t times(struct tms *result);

#ifdef __cplusplus
}
#endif

#endif
