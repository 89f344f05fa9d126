/* For programs that use assert without its header: then it is a function, of which only the call's place is known. */
#include <fencepost/machine.h>

void assert(int condition);

void assert(int condition) {
  if (!condition) __fencepost_assert_fail("assert", "", 0, "");
}
