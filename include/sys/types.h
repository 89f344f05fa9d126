#ifndef FENCEPOST_SYS_TYPES_H
#define FENCEPOST_SYS_TYPES_H

#include <fencepost/types.h>
#include <stdint.h>

typedef unsigned long long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef unsigned long fsblkcnt_t;
typedef unsigned long fsfilcnt_t;
typedef unsigned id_t;
typedef int key_t;
typedef void *timer_t;
__extension__ typedef long long loff_t;
__extension__ typedef long long off64_t;
__extension__ typedef long long quad_t;
__extension__ typedef unsigned long long u_quad_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned u_int;
typedef unsigned long u_long;
typedef unsigned short ushort;
typedef unsigned uint;
typedef unsigned long ulong;
typedef char *caddr_t;
typedef uint8_t u_int8_t;
typedef uint16_t u_int16_t;
typedef uint32_t u_int32_t;
typedef uint64_t u_int64_t;
typedef __INTPTR_TYPE__ register_t;

#include <endian.h>
#include <sys/select.h>

#endif
