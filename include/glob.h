#ifndef FENCEPOST_GLOB_H
#define FENCEPOST_GLOB_H

#include <fencepost/types.h>

typedef struct {
  size_t gl_pathc;
  char **gl_pathv;
  size_t gl_offs;
} glob_t;
#define GLOB_ERR 1
#define GLOB_MARK 2
#define GLOB_NOSORT 4
#define GLOB_DOOFFS 8
#define GLOB_NOCHECK 16
#define GLOB_APPEND 32
#define GLOB_NOESCAPE 64
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3

/* Declared only. */
int glob(const char *__restrict pattern, int flags, int (*failed)(const char *path, int error),
         glob_t *__restrict found);
void globfree(glob_t *found);

#endif
