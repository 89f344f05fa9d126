/*
 * Blocks of memory that are copied, filled or compared. clang has hooks for them; `fencepost record` has the linker
 * send the calls of the program's own objects here too (--wrap). The library's own calls are not recorded.
 */
void *__real_memmove(void *, const void *, size_t);
void *__real_memset(void *, int, size_t);
int __real_memcmp(const void *, const void *, size_t);

static void *copy(void *to, const void *from, size_t size, uintptr_t place) {
  struct self *self = size ? enter() : NULL;
  if (!self) return __real_memmove(to, from, size);
  uint32_t bytes = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
  stand_at(self, place);
  take_both(self, (uintptr_t)to, (uintptr_t)from, size);
  put(self, (struct event){LOAD, PLAIN, 0, NOBODY, bytes, (uintptr_t)from, 0}, place);
  put(self, (struct event){STORE, PLAIN, WROTE, NOBODY, bytes, (uintptr_t)to, 0}, place);
  __real_memmove(to, from, size);
  let_go(self);
  leave(self);
  return to;
}

static void *fill(void *to, int value, size_t size, uintptr_t place) {
  struct self *self = size ? enter() : NULL;
  if (!self) return __real_memset(to, value, size);
  stand_at(self, place);
  take(self, (uintptr_t)to, size);
  uint32_t bytes = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
  put(self, (struct event){STORE, PLAIN, WROTE, NOBODY, bytes, (uintptr_t)to, 0}, place);
  __real_memset(to, value, size);
  let_go(self);
  leave(self);
  return to;
}

/* All bytes are recorded as read: a comparison may look at every one. */
static int compare(const void *first, const void *second, size_t size, uintptr_t place) {
  struct self *self = size ? enter() : NULL;
  if (!self) return __real_memcmp(first, second, size);
  stand_at(self, place);
  take_both(self, (uintptr_t)first, (uintptr_t)second, size);
  uint32_t bytes = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
  put(self, (struct event){LOAD, PLAIN, 0, NOBODY, bytes, (uintptr_t)first, 0}, place);
  put(self, (struct event){LOAD, PLAIN, 0, NOBODY, bytes, (uintptr_t)second, 0}, place);
  int result = __real_memcmp(first, second, size);
  let_go(self);
  leave(self);
  return result;
}

EXPORTED void *__tsan_memcpy(void *to, const void *from, size_t size) { return copy(to, from, size, CALLER); }
EXPORTED void *__tsan_memmove(void *to, const void *from, size_t size) { return copy(to, from, size, CALLER); }
EXPORTED void *__tsan_memset(void *to, int value, size_t size) { return fill(to, value, size, CALLER); }
EXPORTED void *__wrap_memcpy(void *to, const void *from, size_t size) { return copy(to, from, size, CALLER); }
EXPORTED void *__wrap_memmove(void *to, const void *from, size_t size) { return copy(to, from, size, CALLER); }
EXPORTED void *__wrap_memset(void *to, int value, size_t size) { return fill(to, value, size, CALLER); }
EXPORTED int __wrap_memcmp(const void *a, const void *b, size_t size) { return compare(a, b, size, CALLER); }
