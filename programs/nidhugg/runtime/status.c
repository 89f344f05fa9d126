#include "status.h"

#include <errno.h>

static const char *const texts[RT_STATUS_COUNT] = {
    [RT_OK] = "success",
    [RT_NO_MEMORY] = "out of memory",
    [RT_INVALID] = "invalid argument",
    [RT_BUSY] = "resource busy",
    [RT_EMPTY] = "nothing there",
    [RT_FULL] = "no room left",
    [RT_NOT_FOUND] = "not found",
    [RT_EXISTS] = "exists already",
    [RT_ENDED] = "has ended",
    [RT_RANGE] = "out of range",
    [RT_SYNTAX] = "syntax error",
    [RT_SYSTEM] = "system error",
};

const char *rt_status_text(rt_status status) {
  if ((int)status < 0 || status >= RT_STATUS_COUNT) return "unknown status";
  return texts[status];
}

rt_status rt_status_of_errno(int error) {
  switch (error) {
    case 0:
      return RT_OK;
    case ENOMEM:
      return RT_NO_MEMORY;
    case EINVAL:
    case EPERM:
      return RT_INVALID;
    case EBUSY:
    case EAGAIN:
      return RT_BUSY;
    case EEXIST:
      return RT_EXISTS;
    case ESRCH:
    case ENOENT:
      return RT_NOT_FOUND;
    case ERANGE:
    case EOVERFLOW:
      return RT_RANGE;
    default:
      return RT_SYSTEM;
  }
}
