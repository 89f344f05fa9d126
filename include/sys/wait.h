#ifndef FENCEPOST_SYS_WAIT_H
#define FENCEPOST_SYS_WAIT_H

#include <signal.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WNOHANG 1
#define WUNTRACED 2
#define WCONTINUED 8
#define WEXITSTATUS(status) (((status) >> 8) & 0xff)
#define WTERMSIG(status) ((status)&0x7f)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) (WTERMSIG(status) != 0 && WTERMSIG(status) != 0x7f)
#define WIFSTOPPED(status) (((status)&0xff) == 0x7f)
#define WSTOPSIG(status) WEXITSTATUS(status)
#define WCOREDUMP(status) ((status)&0x80)

typedef enum { P_ALL, P_PID, P_PGID } idtype_t;

/* Declared only. */
int waitid(idtype_t kind, id_t id, siginfo_t *information, int options);
pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);

#ifdef __cplusplus
}
#endif

#endif
