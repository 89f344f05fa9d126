#ifndef FENCEPOST_SEMAPHORE_H
#define FENCEPOST_SEMAPHORE_H

#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int __words[2];
} sem_t;

#define SEM_VALUE_MAX 0x7fffffff

int sem_init(sem_t *semaphore, int shared, unsigned value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
/* Takes one if the value is positive when its step comes, and otherwise times out. */
int sem_timedwait(sem_t *semaphore, const struct timespec *deadline);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);

#ifdef __cplusplus
}
#endif

#endif
