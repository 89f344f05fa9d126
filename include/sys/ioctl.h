#ifndef FENCEPOST_SYS_IOCTL_H
#define FENCEPOST_SYS_IOCTL_H

#include <linux/ioctl.h>

#ifdef __cplusplus
extern "C" {
#endif

struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
  unsigned short ws_xpixel;
  unsigned short ws_ypixel;
};
#define TIOCGWINSZ 0x5413
#define TIOCGPTN 0x80045430
#define TIOCSWINSZ 0x5414
#define FIONREAD 0x541b
#define FIONBIO 0x5421
#define FIOCLEX 0x5451

/* Declared only. */
int ioctl(int file, unsigned long request, ...);

#ifdef __cplusplus
}
#endif

#endif
