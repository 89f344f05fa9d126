#ifndef FENCEPOST_DAT3M_H
#define FENCEPOST_DAT3M_H

#ifdef __cplusplus
extern "C" {
#endif

/* What programs for Dat3M use, where it has the same meaning here. Loop annotations are hints. */
void __VERIFIER_assume(int condition);
void __VERIFIER_assert(int condition);
void __VERIFIER_loop_bound(int bound);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int done);
/* --nondet gives the range of these. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
_Bool __VERIFIER_nondet_bool(void);

/* A loop that waits: we find these ourselves. */
#define await_while(condition) while (condition)

#ifdef __cplusplus
}
#endif

#endif
