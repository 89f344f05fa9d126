#ifndef FENCEPOST_LINUX_FILTER_H
#define FENCEPOST_LINUX_FILTER_H

#include <linux/types.h>

struct sock_filter {
  __u16 code;
  __u8 jt;
  __u8 jf;
  __u32 k;
};
struct sock_fprog {
  unsigned short len;
  struct sock_filter *filter;
};

#endif
