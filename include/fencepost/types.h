/* Types that several headers share; each of those headers is complete with this one. */
#ifndef FENCEPOST_TYPES_H
#define FENCEPOST_TYPES_H

#include <stddef.h>

typedef int ssize_t;
typedef int pid_t;
typedef long off_t;
typedef long time_t;
typedef unsigned useconds_t;

/* As in glibc, so that both can be printed with %lu. */
typedef unsigned long pthread_t;

/* The machine knows these by their address; a zeroed object is an initialised one. */
typedef struct {
  int __unused;
} pthread_mutex_t;

typedef struct {
  int __unused;
} pthread_cond_t;

typedef struct {
  int __unused;
} pthread_attr_t;

typedef struct {
  int __unused;
} pthread_mutexattr_t;

typedef struct {
  int __unused;
} pthread_condattr_t;

#endif
