#ifndef FENCEPOST_SYS_SYSLOG_H
#define FENCEPOST_SYS_SYSLOG_H

#include <syslog.h>

#endif
