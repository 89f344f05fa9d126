/* Calls without an end. */
#include <stdatomic.h>
atomic_int x;
static void again(int n) { atomic_store(&x, n); again(n + 1); }
int main(void) { again(0); }
