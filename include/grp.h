#ifndef FENCEPOST_GRP_H
#define FENCEPOST_GRP_H

#include <fencepost/types.h>

struct group {
  char *gr_name;
  char *gr_passwd;
  gid_t gr_gid;
  char **gr_mem;
};

/* Declared only. */
struct group *getgrnam(const char *name);
struct group *getgrgid(gid_t group);

#endif
