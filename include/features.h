#ifndef FENCEPOST_FEATURES_H
#define FENCEPOST_FEATURES_H

/* The available interfaces do not depend on macros here: all headers declare everything they have. */
#define __GLIBC_PREREQ(major, minor) 0
#define __GNUC_PREREQ(major, minor) ((__GNUC__ << 16) + __GNUC_MINOR__ >= ((major) << 16) + (minor))
#define __GLIBC_USE(feature) 0

#include <sys/cdefs.h>

#endif
