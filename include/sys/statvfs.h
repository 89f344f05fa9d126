#ifndef FENCEPOST_SYS_STATVFS_H
#define FENCEPOST_SYS_STATVFS_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct statvfs {
  unsigned long f_bsize;
  unsigned long f_frsize;
  fsblkcnt_t f_blocks;
  fsblkcnt_t f_bfree;
  fsblkcnt_t f_bavail;
  fsfilcnt_t f_files;
  fsfilcnt_t f_ffree;
  fsfilcnt_t f_favail;
  unsigned long f_fsid;
  unsigned long f_flag;
  unsigned long f_namemax;
};

/* Declared only. */
int statvfs(const char *__restrict path, struct statvfs *__restrict status);
int fstatvfs(int file, struct statvfs *status);

#ifdef __cplusplus
}
#endif

#endif
