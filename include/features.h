#ifndef FENCEPOST_FEATURES_H
#define FENCEPOST_FEATURES_H

/* Which interfaces exist does not depend on macros here: all headers declare all they have. */
#define __GLIBC_PREREQ(major, minor) 0
#define __GNUC_PREREQ(major, minor) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((major) << 16) + (minor))
#define __GLIBC_USE(feature) 0

#include <sys/cdefs.h>

#endif
