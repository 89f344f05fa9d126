/* What a program can say to the checker. */
#ifndef FENCEPOST_H
#define FENCEPOST_H

/* Any of 0 … count-1; all of them are explored. The count is a constant. */
int fencepost_choose(int count) __asm__("__fencepost_choose");

/* Executions in which the condition does not hold end here and are not wrong. */
void fencepost_assume(int condition) __asm__("__fencepost_assume");

/* Shown with the execution: `name = value`. */
void fencepost_observe(const char *name, int value);

/*
 * What a thread does from here to `fencepost_op_end` is one operation, such as a push with its argument or a pop with its
 * result. With `--observations` the operations must give results that they could also give if each ran in one go.
 * Operations of a thread are not nested, and end before it does.
 */
void fencepost_op_begin(const char *name, int argument);
void fencepost_op_end(int result);

#endif
