#ifndef FENCEPOST_SYS_EPOLL_H
#define FENCEPOST_SYS_EPOLL_H

#include <signal.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef union epoll_data {
  void *ptr;
  int fd;
  uint32_t u32;
  uint64_t u64;
} epoll_data_t;
struct epoll_event {
  uint32_t events;
  epoll_data_t data;
}
#ifdef __x86_64__
__attribute__((__packed__))
#endif
;
#define EPOLL_CLOEXEC 02000000
#define EPOLLIN 1
#define EPOLLPRI 2
#define EPOLLOUT 4
#define EPOLLERR 8
#define EPOLLHUP 0x10
#define EPOLLRDNORM 0x40
#define EPOLLWRNORM 0x100
#define EPOLLRDHUP 0x2000
#define EPOLLEXCLUSIVE (1u << 28)
#define EPOLLWAKEUP (1u << 29)
#define EPOLLONESHOT (1u << 30)
#define EPOLLET (1u << 31)
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

/* Declared only. */
int epoll_create(int size);
int epoll_create1(int flags);
int epoll_ctl(int set, int operation, int file, struct epoll_event *event);
int epoll_wait(int set, struct epoll_event *events, int most, int timeout);
int epoll_pwait(int set, struct epoll_event *events, int most, int timeout, const sigset_t *mask);

#ifdef __cplusplus
}
#endif

#endif
