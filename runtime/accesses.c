/* Plain accesses: what the compiler calls before each of them, by size. */

static inline void access_bytes(enum operation operation, enum order order, const void *address, size_t size, uintptr_t place) {
  struct self *self = enter();
  if (UNLIKELY(!self)) return;
  stand_at(self, place);
  take(self, (uintptr_t)address, size);
  struct event event = {operation, order, operation == STORE ? WROTE : 0, NOBODY,
                        size < UINT32_MAX ? (uint32_t)size : UINT32_MAX, (uintptr_t)address, 0};
  put(self, event, place);
  leave(self);
}

/* A load and a store that the compiler has merged into one hook. */
static inline void access_twice(enum order order, const void *address, size_t size, uintptr_t place) {
  struct self *self = enter();
  if (UNLIKELY(!self)) return;
  stand_at(self, place);
  take(self, (uintptr_t)address, size);
  put(self, (struct event){LOAD, order, 0, NOBODY, (uint32_t)size, (uintptr_t)address, 0}, place);
  put(self, (struct event){STORE, order, WROTE, NOBODY, (uint32_t)size, (uintptr_t)address, 0}, place);
  leave(self);
}

#define ACCESSES(prefix, order, size)                                                                                      \
  EXPORTED void __tsan_##prefix##read##size(void *address) { access_bytes(LOAD, order, address, size, CALLER); }          \
  EXPORTED void __tsan_##prefix##write##size(void *address) { access_bytes(STORE, order, address, size, CALLER); }
#define PAIRS(prefix, size) \
  EXPORTED void __tsan_##prefix##read_write##size(void *address) { access_twice(PLAIN, address, size, CALLER); }

ACCESSES(, PLAIN, 1)
ACCESSES(, PLAIN, 2)
ACCESSES(, PLAIN, 4)
ACCESSES(, PLAIN, 8)
ACCESSES(, PLAIN, 16)
ACCESSES(unaligned_, PLAIN, 2)
ACCESSES(unaligned_, PLAIN, 4)
ACCESSES(unaligned_, PLAIN, 8)
ACCESSES(unaligned_, PLAIN, 16)
ACCESSES(volatile_, VOLATILE, 1)
ACCESSES(volatile_, VOLATILE, 2)
ACCESSES(volatile_, VOLATILE, 4)
ACCESSES(volatile_, VOLATILE, 8)
ACCESSES(volatile_, VOLATILE, 16)
ACCESSES(unaligned_volatile_, VOLATILE, 2)
ACCESSES(unaligned_volatile_, VOLATILE, 4)
ACCESSES(unaligned_volatile_, VOLATILE, 8)
ACCESSES(unaligned_volatile_, VOLATILE, 16)
PAIRS(, 1)
PAIRS(, 2)
PAIRS(, 4)
PAIRS(, 8)
PAIRS(, 16)
PAIRS(unaligned_, 2)
PAIRS(unaligned_, 4)
PAIRS(unaligned_, 8)
PAIRS(unaligned_, 16)

EXPORTED void __tsan_read_range(void *address, unsigned long size) { access_bytes(LOAD, PLAIN, address, size, CALLER); }
EXPORTED void __tsan_write_range(void *address, unsigned long size) { access_bytes(STORE, PLAIN, address, size, CALLER); }

/* The pointer to an object's virtual functions. */
EXPORTED void __tsan_vptr_read(void **address) { access_bytes(LOAD, PLAIN, address, sizeof *address, CALLER); }
EXPORTED void __tsan_vptr_update(void **address, void *value) {
  if (*address != value) access_bytes(STORE, PLAIN, address, sizeof *address, CALLER);
}

/* The thread's previous access is done; and this is where the function was called from. */
EXPORTED void __tsan_func_entry(void *caller) {
  struct self *self = enter();
  if (!self) return;
  stand_at(self, (uintptr_t)caller);
  leave(self);
}
EXPORTED void __tsan_func_exit(void) {
  struct self *self = enter();
  if (self) leave(self);
}

/* What a race detector is asked to ignore is still recorded here. */
EXPORTED void __tsan_ignore_thread_begin(void) {}
EXPORTED void __tsan_ignore_thread_end(void) {}
