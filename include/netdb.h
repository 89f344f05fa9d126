#ifndef FENCEPOST_NETDB_H
#define FENCEPOST_NETDB_H

#include <netinet/in.h>

#ifdef __cplusplus
extern "C" {
#endif

struct hostent {
  char *h_name;
  char **h_aliases;
  int h_addrtype;
  int h_length;
  char **h_addr_list;
};
#define h_addr h_addr_list[0]
struct servent {
  char *s_name;
  char **s_aliases;
  int s_port;
  char *s_proto;
};
struct protoent {
  char *p_name;
  char **p_aliases;
  int p_proto;
};
struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  struct sockaddr *ai_addr;
  char *ai_canonname;
  struct addrinfo *ai_next;
};

#define AI_PASSIVE 1
#define AI_CANONNAME 2
#define AI_NUMERICHOST 4
#define AI_V4MAPPED 8
#define AI_ALL 0x10
#define AI_ADDRCONFIG 0x20
#define AI_NUMERICSERV 0x400
#define EAI_BADFLAGS (-1)
#define EAI_NONAME (-2)
#define EAI_AGAIN (-3)
#define EAI_FAIL (-4)
#define EAI_FAMILY (-6)
#define EAI_SOCKTYPE (-7)
#define EAI_SERVICE (-8)
#define EAI_MEMORY (-10)
#define EAI_SYSTEM (-11)
#define EAI_OVERFLOW (-12)
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_NAMEREQD 8
#define NI_DGRAM 16
#define NI_MAXHOST 1025
#define NI_MAXSERV 32

/* Declared only. */
int getaddrinfo(const char *__restrict node, const char *__restrict service, const struct addrinfo *__restrict hints,
                struct addrinfo **__restrict result);
void freeaddrinfo(struct addrinfo *list);
const char *gai_strerror(int code);
int getnameinfo(const struct sockaddr *__restrict address, socklen_t size, char *__restrict host, socklen_t room,
                char *__restrict service, socklen_t space, int flags);
struct hostent *gethostbyname(const char *name);
struct hostent *gethostbyaddr(const void *address, socklen_t size, int family);
struct servent *getservbyname(const char *name, const char *protocol);
struct protoent *getprotobyname(const char *name);

#ifdef __cplusplus
}
#endif

#endif
