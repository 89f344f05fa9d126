#ifndef FENCEPOST_SYS_TYPES_H
#define FENCEPOST_SYS_TYPES_H

#include <fencepost/types.h>

/* As in glibc: the unsigned ones are in <stdint.h>. */
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef unsigned id_t;
typedef int key_t;
typedef __UINT64_TYPE__ ino64_t;
typedef __INT64_TYPE__ blkcnt64_t;
typedef __UINT64_TYPE__ fsblkcnt64_t;
typedef __UINT64_TYPE__ fsfilcnt64_t;
typedef __INT64_TYPE__ loff_t;
typedef __INT64_TYPE__ off64_t;
typedef __INT64_TYPE__ quad_t;
typedef __UINT64_TYPE__ u_quad_t;
typedef int daddr_t;
typedef struct {
  int __val[2];
} fsid_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
typedef char *caddr_t;
typedef __UINT8_TYPE__ u_int8_t;
typedef __UINT16_TYPE__ u_int16_t;
typedef __UINT32_TYPE__ u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
typedef __INTPTR_TYPE__ register_t;

#include <endian.h>
#include <sys/select.h>

#endif
