#ifndef FENCEPOST_GENMC_H
#define FENCEPOST_GENMC_H

#ifdef __cplusplus
extern "C" {
#endif

/* What programs for GenMC use and what has the same meaning here. Marks of loops are hints. */
void __VERIFIER_assume(int condition);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int done);
void __VERIFIER_loop_bound(int bound);

#ifdef __cplusplus
}
#endif

#endif
