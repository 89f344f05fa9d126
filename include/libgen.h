#ifndef FENCEPOST_LIBGEN_H
#define FENCEPOST_LIBGEN_H

/* Declared only. */
char *basename(char *path);
char *dirname(char *path);

#endif
