#ifndef FENCEPOST_POLL_H
#define FENCEPOST_POLL_H

#include <fencepost/timeval.h>
#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long nfds_t;
struct pollfd {
  int fd;
  short events;
  short revents;
};
#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 0x10
#define POLLNVAL 0x20
#define POLLRDNORM 0x40
#define POLLRDBAND 0x80
#define POLLWRNORM 0x100
#define POLLWRBAND 0x200
#define POLLRDHUP 0x2000

/* They only sleep: descriptors must be negative. */
int poll(struct pollfd *files, nfds_t count, int timeout);
int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask);

#ifdef __cplusplus
}
#endif

#endif
