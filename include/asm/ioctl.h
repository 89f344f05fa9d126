#ifndef FENCEPOST_ASM_IOCTL_H
#define FENCEPOST_ASM_IOCTL_H

#include <linux/ioctl.h>

#endif
