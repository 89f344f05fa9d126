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

#define POSIX_SPAWN_RESETIDS 0x01
#define POSIX_SPAWN_SETPGROUP 0x02
#define POSIX_SPAWN_SETSIGDEF 0x04
#define POSIX_SPAWN_SETSIGMASK 0x08
#define POSIX_SPAWN_SETSCHEDPARAM 0x10
#define POSIX_SPAWN_SETSCHEDULER 0x20

/* Declared only. */
int posix_spawnattr_init(posix_spawnattr_t *attributes);
int posix_spawnattr_destroy(posix_spawnattr_t *attributes);
int posix_spawnattr_setflags(posix_spawnattr_t *attributes, short flags);
int posix_spawnattr_setpgroup(posix_spawnattr_t *attributes, pid_t group);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *__restrict attributes, const sigset_t *__restrict signals);
int posix_spawnattr_setsigmask(posix_spawnattr_t *__restrict attributes, const sigset_t *__restrict signals);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *__restrict actions, int file,
                                     const char *__restrict path, int flags, mode_t mode);
int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *actions, int file);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int file, int other);
int posix_spawnp(pid_t *__restrict process, const char *__restrict name, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *__restrict attributes, char *const *__restrict arguments,
                 char *const *__restrict environment);
int posix_spawn(pid_t *__restrict process, const char *__restrict path,
                const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *__restrict attributes,
                char *const *__restrict arguments, char *const *__restrict environment);

#ifdef __cplusplus
}
#endif

#endif
