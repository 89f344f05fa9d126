#ifndef FENCEPOST_SYS_SYSMACROS_H
#define FENCEPOST_SYS_SYSMACROS_H

/* Linux's numbers of devices. */
#define major(device) ((unsigned)(((device) >> 8 & 0xfff) | ((unsigned long long)(device) >> 32 & ~0xfffu)))
#define minor(device) ((unsigned)(((device) & 0xff) | ((device) >> 12 & ~0xffu)))
#define makedev(major, minor)                                                                            \
  (((minor) & 0xffull) | ((major) & 0xfffull) << 8 | ((minor) & ~0xffull) << 12 | ((major) & ~0xfffull) << 32)

#endif
