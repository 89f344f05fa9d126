/*
 * The functions of ESBMC, CBMC, GenMC and Dat3M that have a meaning here. Their programs declare them, or get them from
 * <genmc.h> and <dat3m.h>. Annotations of waiting loops are hints: we find such loops ourselves.
 */
#include <fencepost/machine.h>

void __ESBMC_assume(_Bool condition);
void __ESBMC_assert(_Bool condition, const char *text);
void __ESBMC_atomic_begin(void);
void __ESBMC_atomic_end(void);
void __ESBMC_yield(void);
void __CPROVER_assume(_Bool condition);
void __CPROVER_assert(_Bool condition, const char *text);
void __CPROVER_atomic_begin(void);
void __CPROVER_atomic_end(void);
void __VERIFIER_loop_begin(void);
void __VERIFIER_loop_end(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int done);
void __VERIFIER_loop_bound(int bound);
void __VERIFIER_assume_internal(_Bool condition, int kind);

void __ESBMC_assume(_Bool condition) { __fencepost_assume(condition); }

void __ESBMC_assert(_Bool condition, const char *text) {
  if (!condition) __fencepost_assert_fail(text, "", 0, "");
}

void __ESBMC_atomic_begin(void) { __fencepost_atomic_begin(); }

void __ESBMC_atomic_end(void) { __fencepost_atomic_end(); }

void __ESBMC_yield(void) { __fencepost_yield(); }

void __CPROVER_assume(_Bool condition) { __fencepost_assume(condition); }

void __CPROVER_assert(_Bool condition, const char *text) {
  if (!condition) __fencepost_assert_fail(text, "", 0, "");
}

void __CPROVER_atomic_begin(void) { __fencepost_atomic_begin(); }

void __CPROVER_atomic_end(void) { __fencepost_atomic_end(); }

void __VERIFIER_loop_begin(void) {}

void __VERIFIER_loop_end(void) {}

void __VERIFIER_spin_start(void) {}

void __VERIFIER_spin_end(int done) { (void)done; }

/* A bound of the other checker's search, not of the program. */
void __VERIFIER_loop_bound(int bound) { (void)bound; }

void __VERIFIER_assume_internal(_Bool condition, int kind) {
  (void)kind;
  __fencepost_assume(condition);
}
