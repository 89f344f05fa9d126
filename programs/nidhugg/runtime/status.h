/* The status that functions of the runtime return: 0 for success, otherwise a reason. */
#ifndef RT_STATUS_H
#define RT_STATUS_H

#include <stddef.h>

typedef enum rt_status {
  RT_OK = 0,
  RT_NO_MEMORY,
  RT_INVALID,
  RT_BUSY,
  RT_EMPTY,
  RT_FULL,
  RT_NOT_FOUND,
  RT_EXISTS,
  RT_ENDED,
  RT_RANGE,
  RT_SYNTAX,
  RT_SYSTEM,
  RT_STATUS_COUNT
} rt_status;

/* A short text, never null. */
const char *rt_status_text(rt_status status);

/* The status for an error number of the system. */
rt_status rt_status_of_errno(int error);

/* Passes a failure on to the caller. */
#define RT_TRY(call)                         \
  do {                                       \
    rt_status rt_status_of_try = (call);     \
    if (rt_status_of_try != RT_OK) return rt_status_of_try; \
  } while (0)

#endif
