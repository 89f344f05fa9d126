#ifndef FENCEPOST_SYS_SIGNALFD_H
#define FENCEPOST_SYS_SIGNALFD_H

#include <signal.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SFD_NONBLOCK 04000
#define SFD_CLOEXEC 02000000
struct signalfd_siginfo {
  uint32_t ssi_signo;
  int32_t ssi_errno;
  int32_t ssi_code;
  uint32_t ssi_pid;
  uint8_t __rest[112];
};

/* Declared only. */
int signalfd(int file, const sigset_t *mask, int flags);

#ifdef __cplusplus
}
#endif

#endif
