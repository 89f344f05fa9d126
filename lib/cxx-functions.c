/* Other functions and constants that libc++'s headers only declare. */
#include <fencepost/library.h>
#include <stddef.h>

static int is_prime(size_t n) {
  for (size_t i = 2; i <= n / i; i++)
    if (n % i == 0) return 0;
  return 1;
}

#if __SIZEOF_SIZE_T__ == 8
#define SIZED(name) name##m
#else
#define SIZED(name) name##j
#endif

/* The sizes of hash tables. */
size_t SIZED(_ZNSt3__212__next_primeE)(size_t n);
size_t SIZED(_ZNSt3__212__next_primeE)(size_t n) {
  if (n <= 2) return n;
  while (!is_prime(n)) n++;
  return n;
}

/* Any function of the bytes will do. */
size_t SIZED(_ZNSt3__213__hash_memoryEPKv)(const unsigned char *bytes, size_t size);
size_t SIZED(_ZNSt3__213__hash_memoryEPKv)(const unsigned char *bytes, size_t size) {
  size_t hash = size;
  for (size_t i = 0; i < size; i++) hash = hash * 31 + bytes[i];
  return hash;
}

#define PLACEHOLDER(name) const char name = 0
PLACEHOLDER(_ZNSt3__212placeholders2_1E);
PLACEHOLDER(_ZNSt3__212placeholders2_2E);
PLACEHOLDER(_ZNSt3__212placeholders2_3E);
PLACEHOLDER(_ZNSt3__212placeholders2_4E);
