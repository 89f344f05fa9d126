#ifndef FENCEPOST_LINUX_SWAB_H
#define FENCEPOST_LINUX_SWAB_H

#include <linux/types.h>

#define __swab16(number) __builtin_bswap16(number)
#define __swab32(number) __builtin_bswap32(number)
#define __swab64(number) __builtin_bswap64(number)
#define __swahw32(number) ((__u32)(((__u32)(number) << 16) | ((__u32)(number) >> 16)))
#define __swahb32(number) __swab32(__swahw32(number))

#endif
