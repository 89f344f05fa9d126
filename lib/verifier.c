/*
 * The conventions of SV-COMP. Its programs declare these functions themselves. Choices among all values of a type
 * (`__VERIFIER_nondet_int` and so on) are src/frontend/llvm/lower/nondet.ts.
 */
#include <fencepost/machine.h>

void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assert(int condition);
__attribute__((__noreturn__)) void __VERIFIER_error(void);
__attribute__((__noreturn__)) void reach_error(void);
void assume_abort_if_not(int condition);

void __VERIFIER_assume(int condition) { __fencepost_assume(condition); }

void assume_abort_if_not(int condition) { __fencepost_assume(condition); }

void __VERIFIER_atomic_begin(void) { __fencepost_atomic_begin(); }

void __VERIFIER_atomic_end(void) { __fencepost_atomic_end(); }

void __VERIFIER_assert(int condition) {
  if (!condition) __fencepost_assert_fail("__VERIFIER_assert", "", 0, "");
}

/* No file and line: the place that matters is the program's call. */
void __VERIFIER_error(void) { __fencepost_assert_fail("__VERIFIER_error()", "", 0, ""); }

void reach_error(void) { __fencepost_assert_fail("reach_error()", "", 0, ""); }
