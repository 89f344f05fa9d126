/* Where libc++ only declares the function, which is in its library. */
#ifndef FENCEPOST_CXX_THROW_SYSTEM_ERROR_H
#define FENCEPOST_CXX_THROW_SYSTEM_ERROR_H

#include <__system_error/system_error.h>

#endif
