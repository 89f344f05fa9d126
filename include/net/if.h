#ifndef FENCEPOST_NET_IF_H
#define FENCEPOST_NET_IF_H

#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IF_NAMESIZE 16
#define IFNAMSIZ IF_NAMESIZE
#define IFF_UP 1
#define IFF_BROADCAST 2
#define IFF_LOOPBACK 8
#define IFF_RUNNING 0x40

/* Declared only. */
unsigned if_nametoindex(const char *name);
char *if_indextoname(unsigned index, char *name);

#ifdef __cplusplus
}
#endif

#endif
