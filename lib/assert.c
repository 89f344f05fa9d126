/* The name and the arguments are glibc's, so that files preprocessed against glibc also call this. */
#include <assert.h>
#include <fencepost/machine.h>

void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) {
  __fencepost_assert_fail(expression, file, (int)line, function);
}
