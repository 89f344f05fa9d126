/*
 * The heap. Freeing a block writes to all of it, before another thread can get it; a block in reused memory begins as
 * new memory. A block that changes its size always moves, so that its bytes are visibly copied.
 */
#include <malloc.h>

/* A program may have an allocator of its own. */
#define REPLACEABLE EXPORTED __attribute__((weak))

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

enum { FREED = 1 << 16 };

/* Pages that contain freed memory, by some bits of their addresses. */
static _Atomic uint8_t freed[FREED];

static _Atomic uint8_t *freed_at(uintptr_t page) { return &freed[(page ^ page >> 16) % FREED]; }

static void mark_freed(uintptr_t address, size_t size) {
  uintptr_t last = (address + size - 1) / PAGE;
  for (uintptr_t page = address / PAGE; page <= last && page - address / PAGE < FREED; page++)
    atomic_store_explicit(freed_at(page), 1, memory_order_relaxed);
}

static int was_freed(uintptr_t address, size_t size) {
  uintptr_t last = (address + size - 1) / PAGE;
  for (uintptr_t page = address / PAGE; page <= last && page - address / PAGE < FREED; page++)
    if (atomic_load_explicit(freed_at(page), memory_order_relaxed)) return 1;
  return 0;
}

/* Records an operation on a whole block, in pieces that fit a record. */
static void put_block(struct self *self, enum operation operation, uintptr_t address, size_t size, uintptr_t place) {
  while (size > 0) {
    uint32_t part = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
    put(self, (struct event){operation, PLAIN, WROTE, NOBODY, part, address, 0}, place);
    address += part;
    size -= part;
  }
}

static void begin_block(void *block, size_t size, int is_zeroed, uintptr_t place) {
  if (!is_zeroed && !was_freed((uintptr_t)block, size)) return;
  struct self *self = block ? enter() : NULL;
  if (!self) return;
  if (was_freed((uintptr_t)block, size)) put_block(self, ALLOC, (uintptr_t)block, size, place);
  if (is_zeroed) put_block(self, STORE, (uintptr_t)block, size, place);
  leave(self);
}

static void end_block(void *block, size_t size, uintptr_t place) {
  struct self *self = block ? enter() : NULL;
  if (!self) return;
  take(self, (uintptr_t)block, size);
  put_block(self, FREE, (uintptr_t)block, size, place);
  mark_freed((uintptr_t)block, size);
  let_go(self);
  leave(self);
}

static void *make_block(void *block, int is_zeroed, uintptr_t place) {
  if (block) begin_block(block, malloc_usable_size(block), is_zeroed, place);
  return block;
}

static void free_block(void *block, uintptr_t place) {
  int error = errno;
  if (block) end_block(block, malloc_usable_size(block), place);
  __libc_free(block);
  errno = error;
}

REPLACEABLE void *malloc(size_t size) { return make_block(__libc_malloc(size), 0, CALLER); }
REPLACEABLE void *calloc(size_t count, size_t size) { return make_block(__libc_calloc(count, size), 1, CALLER); }
REPLACEABLE void free(void *block) { free_block(block, CALLER); }

REPLACEABLE void *realloc(void *block, size_t size) {
  uintptr_t place = CALLER;
  if (block && !size) {
    free_block(block, place);
    return NULL;
  }
  void *fresh = make_block(__libc_malloc(size), 0, place);
  if (!fresh || !block) return fresh;
  size_t old = malloc_usable_size(block);
  copy(fresh, block, old < size ? old : size, place);
  free_block(block, place);
  return fresh;
}

static void *aligned(size_t alignment, size_t size, uintptr_t place) {
  return make_block(__libc_memalign(alignment, size), 0, place);
}

REPLACEABLE void *memalign(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }
REPLACEABLE void *aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }
REPLACEABLE void *valloc(size_t size) { return aligned(PAGE, size, CALLER); }
REPLACEABLE void *pvalloc(size_t size) { return aligned(PAGE, (size + PAGE - 1) / PAGE * PAGE, CALLER); }
REPLACEABLE int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1)) return EINVAL;
  void *block = aligned(alignment, size, CALLER);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

/* Pages from the system begin and end likewise. */
EXPORTED void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  void *pages = (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
  if (pages != MAP_FAILED) begin_block(pages, size, 0, CALLER);
  return pages;
}
EXPORTED void *mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  return mmap(address, size, protection, flags, file, offset);
}
EXPORTED int munmap(void *pages, size_t size) {
  end_block(pages, size, CALLER);
  return (int)syscall(SYS_munmap, pages, size);
}
