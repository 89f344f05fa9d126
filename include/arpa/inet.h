#ifndef FENCEPOST_ARPA_INET_H
#define FENCEPOST_ARPA_INET_H

#include <netinet/in.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declared only. */
in_addr_t inet_addr(const char *text);
int inet_aton(const char *text, struct in_addr *address);
char *inet_ntoa(struct in_addr address);
int inet_pton(int family, const char *__restrict text, void *__restrict address);
const char *inet_ntop(int family, const void *__restrict address, char *__restrict text, socklen_t size);

#ifdef __cplusplus
}
#endif

#endif
