#ifndef FENCEPOST_SYSLOG_H
#define FENCEPOST_SYSLOG_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_PID 1
#define LOG_CONS 2
#define LOG_NDELAY 8
#define LOG_USER (1 << 3)
#define LOG_DAEMON (3 << 3)

/* Declared only. */
void openlog(const char *name, int options, int facility);
void syslog(int priority, const char *format, ...);
void vsyslog(int priority, const char *format, va_list arguments);
void closelog(void);
int setlogmask(int mask);

#ifdef __cplusplus
}
#endif

#endif
