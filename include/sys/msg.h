#ifndef FENCEPOST_SYS_MSG_H
#define FENCEPOST_SYS_MSG_H

#include <sys/ipc.h>

#ifdef __cplusplus
extern "C" {
#endif

struct msqid_ds;

/* Declared only. */
int msgget(key_t key, int flags);
int msgsnd(int id, const void *message, size_t size, int flags);
ssize_t msgrcv(int id, void *message, size_t size, long type, int flags);
int msgctl(int id, int command, struct msqid_ds *status);

#ifdef __cplusplus
}
#endif

#endif
