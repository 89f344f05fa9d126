#ifndef FENCEPOST_SYS_SEM_H
#define FENCEPOST_SYS_SEM_H

#include <sys/ipc.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sembuf {
  unsigned short sem_num;
  short sem_op;
  short sem_flg;
};
#define SEM_UNDO 0x1000
#define GETVAL 12
#define GETALL 13
#define SETVAL 16
#define SETALL 17

/* Declared only. */
int semget(key_t key, int count, int flags);
int semop(int id, struct sembuf *operations, size_t count);
int semctl(int id, int number, int command, ...);

#ifdef __cplusplus
}
#endif

#endif
