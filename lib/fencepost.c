#include <fencepost.h>
#include <fencepost/machine.h>
#include <stdio.h>

void fencepost_observe(const char *name, int value) { printf("%s = %d\n", name, value); }

static __thread int is_inside;

void fencepost_op_begin(const char *name, int argument) {
  if (__fencepost_glance(&is_inside)) __fencepost_misuse("an operation begins inside another one");
  if (!__fencepost_is_constant(name)) __fencepost_misuse("the name of an operation is not a string constant");
  __fencepost_poke(&is_inside, 1);
  __fencepost_mark(name, argument);
}

void fencepost_op_end(int result) {
  if (!__fencepost_glance(&is_inside)) __fencepost_misuse("the end of an operation that has not begun");
  __fencepost_poke(&is_inside, 0);
  __fencepost_endmark(result);
}
