#ifndef FENCEPOST_SYS_STATFS_H
#define FENCEPOST_SYS_STATFS_H

struct statfs {
  long f_type;
  long f_bsize;
  unsigned long f_blocks;
  unsigned long f_bfree;
  unsigned long f_bavail;
  unsigned long f_files;
  unsigned long f_ffree;
  long f_namelen;
  long f_frsize;
  long f_flags;
};

/* Declared only. */
int statfs(const char *path, struct statfs *status);
int fstatfs(int descriptor, struct statfs *status);

#endif
