#ifndef FENCEPOST_FNMATCH_H
#define FENCEPOST_FNMATCH_H

#ifdef __cplusplus
extern "C" {
#endif

#define FNM_NOMATCH 1
#define FNM_NOESCAPE 2
#define FNM_PATHNAME 1
#define FNM_PERIOD 4

/* Declared only. */
int fnmatch(const char *pattern, const char *text, int flags);

#ifdef __cplusplus
}
#endif

#endif
