#ifndef FENCEPOST_SYS_SOCKET_H
#define FENCEPOST_SYS_SOCKET_H

#include <sys/types.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned short sa_family_t;

struct sockaddr {
  sa_family_t sa_family;
  char sa_data[14];
};
struct sockaddr_storage {
  sa_family_t ss_family;
  char __padding[128 - sizeof(sa_family_t) - sizeof(unsigned long)];
  unsigned long __align;
};
struct msghdr {
  void *msg_name;
  socklen_t msg_namelen;
  struct iovec *msg_iov;
  size_t msg_iovlen;
  void *msg_control;
  size_t msg_controllen;
  int msg_flags;
};
struct mmsghdr {
  struct msghdr msg_hdr;
  unsigned msg_len;
};
struct cmsghdr {
  size_t cmsg_len;
  int cmsg_level;
  int cmsg_type;
};
struct linger {
  int l_onoff;
  int l_linger;
};
struct ucred {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};

#define CMSG_ALIGN(size) (((size) + sizeof(size_t) - 1) & ~(sizeof(size_t) - 1))
#define CMSG_SPACE(size) (CMSG_ALIGN(size) + CMSG_ALIGN(sizeof(struct cmsghdr)))
#define CMSG_LEN(size) (CMSG_ALIGN(sizeof(struct cmsghdr)) + (size))
#define CMSG_DATA(header) ((unsigned char *)((struct cmsghdr *)(header) + 1))
#define CMSG_NXTHDR(message, header)                                                                     \
  ((size_t)((char *)(header) - (char *)(message)->msg_control) + CMSG_ALIGN((header)->cmsg_len) +        \
               sizeof(struct cmsghdr) >                                                                  \
           (message)->msg_controllen                                                                     \
       ? (struct cmsghdr *)0                                                                             \
       : (struct cmsghdr *)((char *)(header) + CMSG_ALIGN((header)->cmsg_len)))
#define CMSG_FIRSTHDR(message) \
  ((message)->msg_controllen >= sizeof(struct cmsghdr) ? (struct cmsghdr *)(message)->msg_control : (struct cmsghdr *)0)

#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_SEQPACKET 5
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL AF_UNIX
#define AF_INET 2
#define AF_INET6 10
#define AF_PACKET 17
#define PF_UNSPEC AF_UNSPEC
#define PF_UNIX AF_UNIX
#define PF_LOCAL AF_UNIX
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#define PF_PACKET AF_PACKET
#define SOL_SOCKET 1
#define SOL_IP 0
#define SOL_IPV6 41
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_DONTROUTE 5
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_PASSCRED 16
#define SO_PEERCRED 17
#define SO_RCVLOWAT 18
#define SO_SNDLOWAT 19
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SCM_RIGHTS 1
#define SCM_CREDENTIALS 2
#define MSG_OOB 1
#define MSG_PEEK 2
#define MSG_CTRUNC 8
#define MSG_TRUNC 0x20
#define MSG_DONTWAIT 0x40
#define MSG_WAITALL 0x100
#define MSG_NOSIGNAL 0x4000
#define MSG_ERRQUEUE 0x2000
#define MSG_CMSG_CLOEXEC 0x40000000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define SOMAXCONN 4096

/* Declared only. */
int socket(int domain, int type, int protocol);
int socketpair(int domain, int type, int protocol, int files[2]);
int bind(int file, const struct sockaddr *address, socklen_t size);
int listen(int file, int backlog);
int accept(int file, struct sockaddr *__restrict address, socklen_t *__restrict size);
int accept4(int file, struct sockaddr *__restrict address, socklen_t *__restrict size, int flags);
int connect(int file, const struct sockaddr *address, socklen_t size);
int shutdown(int file, int how);
int getsockname(int file, struct sockaddr *__restrict address, socklen_t *__restrict size);
int getpeername(int file, struct sockaddr *__restrict address, socklen_t *__restrict size);
int getsockopt(int file, int level, int option, void *__restrict value, socklen_t *__restrict size);
int setsockopt(int file, int level, int option, const void *value, socklen_t size);
ssize_t send(int file, const void *buffer, size_t size, int flags);
ssize_t sendto(int file, const void *buffer, size_t size, int flags, const struct sockaddr *to, socklen_t length);
ssize_t sendmsg(int file, const struct msghdr *message, int flags);
ssize_t recv(int file, void *buffer, size_t size, int flags);
ssize_t recvfrom(int file, void *__restrict buffer, size_t size, int flags, struct sockaddr *__restrict from,
                 socklen_t *__restrict length);
ssize_t recvmsg(int file, struct msghdr *message, int flags);
int recvmmsg(int file, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout);
int sendmmsg(int file, struct mmsghdr *messages, unsigned count, int flags);
int sockatmark(int file);

#ifdef __cplusplus
}
#endif

#endif
