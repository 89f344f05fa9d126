/*
 * Atomic operations on 8 bytes that are not known to be aligned to 8, such as a `long long` in a structure on i386. Old
 * versions of clang call these functions, new ones emit the operation. Ours do that operation.
 */
typedef unsigned long long value;
typedef value __attribute__((aligned(8))) place;

value __atomic_load_8(const volatile void *p, int order) { return __atomic_load_n((const volatile place *)p, order); }
void __atomic_store_8(volatile void *p, value v, int order) { __atomic_store_n((volatile place *)p, v, order); }
value __atomic_exchange_8(volatile void *p, value v, int order) {
  return __atomic_exchange_n((volatile place *)p, v, order);
}
_Bool __atomic_compare_exchange_8(volatile void *p, void *expected, value v, int order, int failure) {
  value old = *(value *)expected;
  if (__atomic_compare_exchange_n((volatile place *)p, &old, v, 0, order, failure)) return 1;
  *(value *)expected = old;
  return 0;
}
value __atomic_fetch_add_8(volatile void *p, value v, int order) {
  return __atomic_fetch_add((volatile place *)p, v, order);
}
value __atomic_fetch_sub_8(volatile void *p, value v, int order) {
  return __atomic_fetch_sub((volatile place *)p, v, order);
}
value __atomic_fetch_and_8(volatile void *p, value v, int order) {
  return __atomic_fetch_and((volatile place *)p, v, order);
}
value __atomic_fetch_or_8(volatile void *p, value v, int order) {
  return __atomic_fetch_or((volatile place *)p, v, order);
}
value __atomic_fetch_xor_8(volatile void *p, value v, int order) {
  return __atomic_fetch_xor((volatile place *)p, v, order);
}
