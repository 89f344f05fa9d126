#ifndef FENCEPOST_LINUX_OPENAT2_H
#define FENCEPOST_LINUX_OPENAT2_H

#include <linux/types.h>

struct open_how {
  __u64 flags;
  __u64 mode;
  __u64 resolve;
};
#define RESOLVE_NO_XDEV 1
#define RESOLVE_NO_MAGICLINKS 2
#define RESOLVE_NO_SYMLINKS 4
#define RESOLVE_BENEATH 8
#define RESOLVE_IN_ROOT 16
#define RESOLVE_CACHED 32

#endif
