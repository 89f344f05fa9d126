#ifndef FENCEPOST_SYS_SHM_H
#define FENCEPOST_SYS_SHM_H

#include <sys/ipc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned long shmatt_t;
struct shmid_ds {
  struct ipc_perm shm_perm;
  size_t shm_segsz;
  time_t shm_atime;
  time_t shm_dtime;
  time_t shm_ctime;
  pid_t shm_cpid;
  pid_t shm_lpid;
  shmatt_t shm_nattch;
};
#define SHM_R 0400
#define SHM_W 0200
#define SHM_RDONLY 010000
#define SHM_RND 020000
#define SHM_HUGETLB 04000

/* Declared only. */
int shmget(key_t key, size_t size, int flags);
void *shmat(int id, const void *address, int flags);
int shmdt(const void *address);
int shmctl(int id, int command, struct shmid_ds *status);

#ifdef __cplusplus
}
#endif

#endif
