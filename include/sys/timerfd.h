#ifndef FENCEPOST_SYS_TIMERFD_H
#define FENCEPOST_SYS_TIMERFD_H

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TFD_NONBLOCK 04000
#define TFD_CLOEXEC 02000000
#define TFD_TIMER_ABSTIME 1

/* Declared only. */
int timerfd_create(clockid_t clock, int flags);
int timerfd_settime(int file, int flags, const struct itimerspec *value, struct itimerspec *old);
int timerfd_gettime(int file, struct itimerspec *value);

#ifdef __cplusplus
}
#endif

#endif
