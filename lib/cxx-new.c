/*
 * operator new and delete of C++, in all forms; a program may replace each. A record per thread would not do: whoever
 * deletes may be another thread. So what an object came from is written before it: 16 bytes, or its alignment.
 */
#include <fencepost/library.h>
#include <stddef.h>

void *_Znwm(size_t size);
