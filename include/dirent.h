#ifndef FENCEPOST_DIRENT_H
#define FENCEPOST_DIRENT_H

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct __fencepost_folder DIR;
struct dirent {
  ino_t d_ino;
  off_t d_off;
  unsigned short d_reclen;
  unsigned char d_type;
  char d_name[256];
};
#define d_fileno d_ino
#define DT_UNKNOWN 0
#define DT_FIFO 1
#define DT_CHR 2
#define DT_DIR 4
#define DT_BLK 6
#define DT_REG 8
#define DT_LNK 10
#define DT_SOCK 12

/* Declared only. */
DIR *opendir(const char *path);
DIR *fdopendir(int file);
struct dirent *readdir(DIR *folder);
int readdir_r(DIR *__restrict folder, struct dirent *__restrict entry, struct dirent **__restrict result);
int closedir(DIR *folder);
void rewinddir(DIR *folder);
long telldir(DIR *folder);
void seekdir(DIR *folder, long position);
int dirfd(DIR *folder);
int scandir(const char *__restrict path, struct dirent ***__restrict list, int (*select)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **));
int alphasort(const struct dirent **left, const struct dirent **right);

#ifdef __cplusplus
}
#endif

#endif
