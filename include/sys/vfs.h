#ifndef FENCEPOST_SYS_VFS_H
#define FENCEPOST_SYS_VFS_H

#include <sys/statfs.h>

#endif
