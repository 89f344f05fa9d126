/* For versions in which libc++ only declares this function and defines it in its library. */
#ifndef FENCEPOST_CXX_THROW_SYSTEM_ERROR_H
#define FENCEPOST_CXX_THROW_SYSTEM_ERROR_H

#include <__system_error/system_error.h>

#endif
