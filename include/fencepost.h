/* The checker's interface for programs. */
#ifndef FENCEPOST_H
#define FENCEPOST_H

#ifdef __cplusplus
extern "C" {
#endif

/* Any of 0 … count-1; all of them are explored. The count is a constant. */
int fencepost_choose(int count) __asm__("__fencepost_choose");

/* Executions in which the condition does not hold end here and are not errors. */
void fencepost_assume(int condition) __asm__("__fencepost_assume");

/* Shown with the execution: `name = value`. */
void fencepost_observe(const char *name, int value);

/*
 * The steps of a thread from here to `fencepost_op_end` are one operation, such as a push with its argument or a pop
 * with its result. With `--observations`, operations must return results that they could return if each ran atomically.
 * Operations of a thread do not nest, and end before the thread does.
 */
void fencepost_op_begin(const char *name, int argument);
void fencepost_op_end(int result);

#ifdef __cplusplus
}
#endif

#endif
