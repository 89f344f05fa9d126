#ifndef FENCEPOST_ERR_H
#define FENCEPOST_ERR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Messages on standard error, from a program that is called "program". */
__attribute__((__noreturn__, __format__(__printf__, 2, 3))) void err(int status, const char *format, ...);
__attribute__((__noreturn__, __format__(__printf__, 2, 3))) void errx(int status, const char *format, ...);
__attribute__((__format__(__printf__, 1, 2))) void warn(const char *format, ...);
__attribute__((__format__(__printf__, 1, 2))) void warnx(const char *format, ...);
__attribute__((__noreturn__, __format__(__printf__, 2, 0))) void verr(int status, const char *format, va_list arguments);
__attribute__((__noreturn__, __format__(__printf__, 2, 0))) void verrx(int status, const char *format, va_list arguments);
__attribute__((__format__(__printf__, 1, 0))) void vwarn(const char *format, va_list arguments);
__attribute__((__format__(__printf__, 1, 0))) void vwarnx(const char *format, va_list arguments);

#ifdef __cplusplus
}
#endif

#endif
