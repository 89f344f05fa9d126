#ifndef FENCEPOST_SCHED_H
#define FENCEPOST_SCHED_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

int sched_yield(void);

/* Every schedule is explored, even those that policies and priorities forbid. */
#define SCHED_OTHER 0
#define SCHED_FIFO 1
#define SCHED_RR 2
struct sched_param {
  int sched_priority;
};
int sched_get_priority_min(int policy);
int sched_get_priority_max(int policy);

/* A processor for each thread. */
int sched_getcpu(void);

/* Which processor a thread runs on makes no difference: sets are accepted, and reading one gives the first two. */
#define CPU_SETSIZE 64
typedef struct {
  unsigned __words[CPU_SETSIZE / 32];
} cpu_set_t;

#define CPU_ZERO(set) ((void)((set)->__words[0] = (set)->__words[1] = 0))
#define CPU_SET(cpu, set) ((void)((set)->__words[(unsigned)(cpu) % CPU_SETSIZE / 32] |= 1u << (cpu) % 32))
#define CPU_CLR(cpu, set) ((void)((set)->__words[(unsigned)(cpu) % CPU_SETSIZE / 32] &= ~(1u << (cpu) % 32)))
#define CPU_ISSET(cpu, set) (((set)->__words[(unsigned)(cpu) % CPU_SETSIZE / 32] >> (cpu) % 32 & 1) != 0)
#define CPU_COUNT(set) (__builtin_popcount((set)->__words[0]) + __builtin_popcount((set)->__words[1]))
#define CPU_EQUAL(a, b) ((a)->__words[0] == (b)->__words[0] && (a)->__words[1] == (b)->__words[1])
int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *set);
int sched_getaffinity(pid_t thread, size_t size, cpu_set_t *set);

#ifdef __cplusplus
}
#endif

#endif
