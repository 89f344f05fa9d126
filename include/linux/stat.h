#ifndef FENCEPOST_LINUX_STAT_H
#define FENCEPOST_LINUX_STAT_H

#include <sys/stat.h>

#endif
