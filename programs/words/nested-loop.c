/* A loop without an end, with long iterations, at the bottom of many calls. */
#include <stdatomic.h>
atomic_int x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19;
#define PUT(x) atomic_store_explicit(&x, n, memory_order_relaxed)
static void loop(int n) {
  for (;; n++) {
    PUT(x0); PUT(x1); PUT(x2); PUT(x3); PUT(x4); PUT(x5); PUT(x6); PUT(x7); PUT(x8); PUT(x9);
    PUT(x10); PUT(x11); PUT(x12); PUT(x13); PUT(x14); PUT(x15); PUT(x16); PUT(x17); PUT(x18); PUT(x19);
  }
}
static void a(void) { loop(0); }
static void b(void) { a(); }
static void c(void) { b(); }
static void d(void) { c(); }
static void e(void) { d(); }
static void f(void) { e(); }
static void g(void) { f(); }
static void h(void) { g(); }
int main(void) { h(); }
