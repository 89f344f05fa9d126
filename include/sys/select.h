#ifndef FENCEPOST_SYS_SELECT_H
#define FENCEPOST_SYS_SELECT_H

#include <fencepost/timeval.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FD_SETSIZE 1024
#define NFDBITS ((int)(8 * sizeof(long)))
typedef long fd_mask;
typedef struct {
  long fds_bits[FD_SETSIZE / (8 * sizeof(long))];
} fd_set;

#define FD_ZERO(set)                                                                                    \
  do {                                                                                                  \
    for (unsigned __i = 0; __i < sizeof(fd_set) / sizeof(long); __i++) (set)->fds_bits[__i] = 0; \
  } while (0)
#define FD_SET(file, set) ((void)((set)->fds_bits[(file) / NFDBITS] |= (long)(1UL << ((file) % NFDBITS))))
#define FD_CLR(file, set) ((void)((set)->fds_bits[(file) / NFDBITS] &= (long)~(1UL << ((file) % NFDBITS))))
#define FD_ISSET(file, set) (((set)->fds_bits[(file) / NFDBITS] & (long)(1UL << ((file) % NFDBITS))) != 0)

/* Declared only. */
int select(int count, fd_set *__restrict read, fd_set *__restrict write, fd_set *__restrict except,
           struct timeval *__restrict timeout);
int pselect(int count, fd_set *__restrict read, fd_set *__restrict write, fd_set *__restrict except,
            const struct timespec *__restrict timeout, const sigset_t *__restrict mask);

#ifdef __cplusplus
}
#endif

#endif
