#ifndef FENCEPOST_GRP_H
#define FENCEPOST_GRP_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct group {
  char *gr_name;
  char *gr_passwd;
  gid_t gr_gid;
  char **gr_mem;
};

/* Declared only. */
int setgroups(size_t count, const gid_t *groups);
int initgroups(const char *user, gid_t group);
struct group *getgrnam(const char *name);
struct group *getgrgid(gid_t group);
int getgrnam_r(const char *name, struct group *entry, char *buffer, size_t size, struct group **result);
int getgrgid_r(gid_t group, struct group *entry, char *buffer, size_t size, struct group **result);

#ifdef __cplusplus
}
#endif

#endif
