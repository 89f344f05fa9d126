#ifndef FENCEPOST_SYS_UCONTEXT_H
#define FENCEPOST_SYS_UCONTEXT_H

#include <ucontext.h>

#endif
