#include <errno.h>
#include <fencepost/library.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* No machine has that much; other large sizes are more than we have room for. */
static int is_too_large(size_t size) {
  if (size <= 0x7fffe000) return 0;
  if (size < PTRDIFF_MAX - 0x1fff) __fencepost_not_modelled("a block of 2 GiB or more");
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return is_too_large(size) ? NULL : __fencepost_malloc(size); }

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) bytes = SIZE_MAX;
  return is_too_large(bytes) ? NULL : __fencepost_calloc(bytes);
}

/* Always at a new address, so that the use of an old pointer is detected. */
void *realloc(void *pointer, size_t size) {
  if (is_too_large(size)) return NULL;
  if (!pointer) return __fencepost_malloc(size);
  if (__fencepost_check_not_mapped) __fencepost_check_not_mapped(pointer);
  size_t old = __fencepost_size(pointer);
  void *fresh = __fencepost_malloc(size);
  memcpy(fresh, pointer, old < size ? old : size);
  __fencepost_free(pointer);
  return fresh;
}

void *reallocarray(void *pointer, size_t count, size_t size) {
  size_t bytes;
  if (!__builtin_mul_overflow(count, size, &bytes)) return realloc(pointer, bytes);
  errno = ENOMEM;
  return NULL;
}

/* A thread's heap cannot satisfy a larger alignment. */
enum { MOST_ALIGNED = 1 << 19 };

static int is_power_of_two(size_t align) { return align != 0 && (align & (align - 1)) == 0; }

void *aligned_alloc(size_t align, size_t size) {
  if (align > MOST_ALIGNED || is_too_large(size)) return NULL;
  if (is_power_of_two(align)) return __fencepost_aligned_malloc(align < 16 ? 16 : align, size);
  errno = EINVAL;
  return NULL;
}

int posix_memalign(void **result, size_t align, size_t size) {
  if (!is_power_of_two(align) || align % sizeof(void *) != 0) return EINVAL;
  if (align > MOST_ALIGNED || is_too_large(size)) return ENOMEM;
  *result = __fencepost_aligned_malloc(align < 16 ? 16 : align, size);
  return 0;
}

void (*__fencepost_freeing)(void *);

void free(void *pointer) {
  if (!pointer) return;
  void (*check)(void *) = (void (*)(void *))__fencepost_glance_pointer(&__fencepost_freeing);
  if (check) check(pointer);
  if (__fencepost_check_not_mapped) __fencepost_check_not_mapped(pointer);
  __fencepost_free(pointer);
}

void (*__fencepost_aborting)(void);

void abort(void) {
  void (*handle)(void) = (void (*)(void))__fencepost_glance_pointer(&__fencepost_aborting);
  if (handle) handle();
  __fencepost_abort();
}

char *getenv(const char *name) {
  (void)name;
  return NULL;
}

int abs(int value) { return value < 0 ? -value : value; }

long labs(long value) { return value < 0 ? -value : value; }

long long llabs(long long value) { return value < 0 ? -value : value; }

div_t div(int dividend, int divisor) {
  div_t result = {dividend / divisor, dividend % divisor};
  return result;
}

ldiv_t ldiv(long dividend, long divisor) {
  ldiv_t result = {dividend / divisor, dividend % divisor};
  return result;
}

lldiv_t lldiv(long long dividend, long long divisor) {
  lldiv_t result = {dividend / divisor, dividend % divisor};
  return result;
}
