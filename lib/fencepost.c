#include <fencepost.h>
#include <stdio.h>

void fencepost_observe(const char *name, int value) { printf("%s = %d\n", name, value); }
