/*
 * pgsql.c with a loop that counts its rounds and gives up after TRIES, so that it is not recognised as one that only
 * waits: every round is a load that may see the latch or not. [NIDHUGG] Table 1, pgsql_bnd.c, which unrolls 4 times.
 */
#ifndef TRIES
#define TRIES 4
#endif
#include "pgsql.c"
