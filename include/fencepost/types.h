/* Types that several headers share; each of those headers is complete with this one. */
#ifndef FENCEPOST_TYPES_H
#define FENCEPOST_TYPES_H

#include <stddef.h>

/* As wide as size_t. */
typedef __PTRDIFF_TYPE__ ssize_t;
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef unsigned mode_t;
typedef long off_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef long suseconds_t;
typedef unsigned useconds_t;
typedef void *timer_t;
typedef unsigned socklen_t;
typedef struct {
  /* 1024 bits, as in glibc; only 64 are used, 32 in each of the first two words. */
  unsigned long __words[128 / sizeof(unsigned long)];
} sigset_t;

/* As in glibc, so that both can be printed with %lu. */
typedef unsigned long pthread_t;
typedef unsigned pthread_key_t;
typedef int pthread_once_t;
typedef volatile int pthread_spinlock_t;

/*
 * Mutexes and condition variables are identified by address. An initialised object has a mark; a zeroed one counts as
 * initialised if it is a static variable. The kind of a mutex is where glibc has it, in either of its two layouts, for
 * files preprocessed against glibc.
 */
#define __FENCEPOST_INITIALISED 0x600d
typedef struct {
  int __words[5];
} pthread_mutex_t;

typedef struct {
  int __words[1];
} pthread_cond_t;

typedef struct {
  int __words[2];
} pthread_rwlock_t;

typedef struct {
  int __words[4];
} pthread_barrier_t;

typedef struct {
  int __words[6];
} pthread_attr_t;

typedef struct {
  int __words[1];
} pthread_mutexattr_t;

typedef struct {
  int __words[1];
} pthread_condattr_t;

typedef struct {
  int __words[1];
} pthread_rwlockattr_t;

typedef struct {
  int __words[1];
} pthread_barrierattr_t;

#endif
