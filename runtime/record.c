/* All of the runtime; record.h says what it does. */
#define _GNU_SOURCE
#include "record.h"

#include "system.c"
#include "stripes.c"
#include "log.c"
#include "sites.c"
#include "signals.c"
#include "threads.c"
#include "accesses.c"
#include "atomics.c"
#include "copies.c"
#include "mutexes.c"
#include "conditions.c"
#include "waiting.c"
#include "once.c"
#include "heap.c"
#include "c11.c"
