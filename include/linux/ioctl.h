#ifndef FENCEPOST_LINUX_IOCTL_H
#define FENCEPOST_LINUX_IOCTL_H

/* A request: its direction, the size of its argument, and two numbers. */
#define _IOC(direction, type, number, size) ((direction) << 30 | (size) << 16 | (type) << 8 | (number))
#define _IOC_NONE 0U
#define _IOC_WRITE 1U
#define _IOC_READ 2U
#define _IO(type, number) _IOC(_IOC_NONE, type, number, 0)
#define _IOR(type, number, argument) _IOC(_IOC_READ, type, number, sizeof(argument))
#define _IOW(type, number, argument) _IOC(_IOC_WRITE, type, number, sizeof(argument))
#define _IOWR(type, number, argument) _IOC(_IOC_READ | _IOC_WRITE, type, number, sizeof(argument))

#endif
