/* Abseil's call_once: two threads initialise once, and read what was written. */
#include "absl/base/call_once.h"

#include "../driver.h"

static absl::once_flag flag;
static int value;

static void initialise() { value++; }

static void user() {
  absl::call_once(flag, initialise);
  assert(value == 1);
}

int main() { run(user, user); }
