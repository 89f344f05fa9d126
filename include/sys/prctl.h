#ifndef FENCEPOST_SYS_PRCTL_H
#define FENCEPOST_SYS_PRCTL_H

#ifdef __cplusplus
extern "C" {
#endif

#define PR_SET_PDEATHSIG 1
#define PR_SET_DUMPABLE 4
#define PR_SET_NAME 15
#define PR_GET_NAME 16
#define PR_SET_TIMERSLACK 29

/* Declared only. */
int prctl(int option, ...);

#ifdef __cplusplus
}
#endif

#endif
