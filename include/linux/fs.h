#ifndef FENCEPOST_LINUX_FS_H
#define FENCEPOST_LINUX_FS_H

#include <linux/limits.h>
#include <linux/types.h>

typedef int __kernel_rwf_t;
#define RWF_HIPRI 1
#define RWF_DSYNC 2
#define RWF_SYNC 4
#define RWF_NOWAIT 8
#define RWF_APPEND 16
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE 2
#define RENAME_WHITEOUT 4

#endif
