#ifndef FENCEPOST_SYS_UIO_H
#define FENCEPOST_SYS_UIO_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct iovec {
  void *iov_base;
  size_t iov_len;
};
#define UIO_MAXIOV 1024

/* Declared only. */
ssize_t readv(int file, const struct iovec *parts, int count);
ssize_t writev(int file, const struct iovec *parts, int count);
ssize_t preadv(int file, const struct iovec *parts, int count, off_t offset);
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset);

#ifdef __cplusplus
}
#endif

#endif
