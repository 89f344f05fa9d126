#ifndef FENCEPOST_SPAWN_H
#define FENCEPOST_SPAWN_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int __words[20];
} posix_spawn_file_actions_t;
typedef struct {
  int __words[84];
} posix_spawnattr_t;

/* Declared only. */
int posix_spawn(pid_t *__restrict process, const char *__restrict path,
                const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *__restrict attributes,
                char *const arguments[__restrict], char *const environment[__restrict]);

#ifdef __cplusplus
}
#endif

#endif
