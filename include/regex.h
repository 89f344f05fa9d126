#ifndef FENCEPOST_REGEX_H
#define FENCEPOST_REGEX_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int regoff_t;
typedef struct {
  size_t re_nsub;
  void *__rest[8];
} regex_t;
typedef struct {
  regoff_t rm_so;
  regoff_t rm_eo;
} regmatch_t;
#define REG_EXTENDED 1
#define REG_ICASE 2
#define REG_NEWLINE 4
#define REG_NOSUB 8
#define REG_NOMATCH 1

/* Declared only. */
int regcomp(regex_t *__restrict expression, const char *__restrict pattern, int flags);
int regexec(const regex_t *__restrict expression, const char *__restrict text, size_t most,
            regmatch_t matches[__restrict], int flags);
size_t regerror(int code, const regex_t *__restrict expression, char *__restrict buffer, size_t size);
void regfree(regex_t *expression);

#ifdef __cplusplus
}
#endif

#endif
