#ifndef FENCEPOST_SYS_SIGNAL_H
#define FENCEPOST_SYS_SIGNAL_H

#include <signal.h>

#endif
