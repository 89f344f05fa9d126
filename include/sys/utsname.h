#ifndef FENCEPOST_SYS_UTSNAME_H
#define FENCEPOST_SYS_UTSNAME_H

#ifdef __cplusplus
extern "C" {
#endif

struct utsname {
  char sysname[65];
  char nodename[65];
  char release[65];
  char version[65];
  char machine[65];
  char domainname[65];
};

/* Declared only. */
int uname(struct utsname *names);

#ifdef __cplusplus
}
#endif

#endif
