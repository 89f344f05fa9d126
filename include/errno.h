#ifndef FENCEPOST_ERRNO_H
#define FENCEPOST_ERRNO_H

#ifdef __cplusplus
extern "C" {
#endif

/* Each thread has its own. */
int *__errno_location(void);
#define errno (*__errno_location())

/* Errors that the modelled functions can return, and errors that programs commonly check for; Linux's numbers. */
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define E2BIG 7
#define ENOEXEC 8
#define EBADF 9
#define ECHILD 10
#define EAGAIN 11
#define EWOULDBLOCK EAGAIN
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define EXDEV 18
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define EFBIG 27
#define ENOSPC 28
#define ESPIPE 29
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define EDEADLK 35
#define EDEADLOCK EDEADLK
#define ENAMETOOLONG 36
#define ENOLCK 37
#define ENOSYS 38
#define ELOOP 40
#define ENOMSG 42
#define ENODATA 61
#define ETIME 62
#define EPROTO 71
#define EBADMSG 74
#define EOVERFLOW 75
#define EILSEQ 84
#define EMSGSIZE 90
#define ENOTSUP 95
#define EOPNOTSUPP ENOTSUP
#define ENOBUFS 105
#define ETIMEDOUT 110
#define ECONNREFUSED 111
#define EALREADY 114
#define EINPROGRESS 115
#define ECANCELED 125
#define EOWNERDEAD 130
#define ENOTRECOVERABLE 131

#ifdef __cplusplus
}
#endif

#endif
