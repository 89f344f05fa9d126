#ifndef FENCEPOST_LIBGEN_H
#define FENCEPOST_LIBGEN_H

#ifdef __cplusplus
extern "C" {
#endif

/* Declared only. */
char *basename(char *path);
char *dirname(char *path);

#ifdef __cplusplus
}
#endif

#endif
