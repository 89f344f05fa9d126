/*
 * Anonymous mappings: memory of zeroes that nobody else maps. Which ones there are is in immutable records of the
 * threads that made them, as for operator new; whether one still exists, the machine knows.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <stddef.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

struct mapping {
  void *hidden;
  void *size;
  struct mapping *older;
};

/* By the handle of the thread. */
enum { LISTS = 64 };
static struct mapping *lists[LISTS];

/* A record must not look like a pointer to its mapping, which would then never be a leak. */
static void *hidden(void *start) { return (void *)~(size_t)start; }

/* Its size; 0 if it is none. */
static size_t size_of(void *start) {
  void *wanted = hidden(start);
  for (int list = 0; list < LISTS; list++) {
    struct mapping *mapping = __fencepost_glance_pointer(&lists[list]);
    for (; mapping; mapping = __fencepost_glance_pointer(&mapping->older))
      if (__fencepost_glance_pointer(&mapping->hidden) == wanted)
        return (size_t)__fencepost_glance_pointer(&mapping->size);
  }
  return 0;
}

static size_t whole_pages(size_t size) { return (size + PAGE - 1) & ~(size_t)(PAGE - 1); }

/* These are about speed. There is only one process, so sharing makes no difference. */
enum { HINTS = MAP_SHARED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED | MAP_NORESERVE | MAP_POPULATE | MAP_NONBLOCK | MAP_STACK };

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  (void)address;
  (void)file;
  (void)offset;
  if (!(flags & MAP_ANONYMOUS)) __fencepost_not_modelled("mmap of a file");
  if (flags & ~HINTS) __fencepost_not_modelled("mmap with flags such as MAP_FIXED");
  if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
    __fencepost_not_modelled("mmap of memory that cannot be both read and written");
  int kind = flags & (MAP_SHARED | MAP_PRIVATE);
  if (size == 0 || kind == 0) {
    errno = EINVAL;
    return MAP_FAILED;
  }
  if (size > 0x7fffe000) __fencepost_not_modelled("a mapping of 2 GiB or more");
  size = whole_pages(size);
  void *start = __fencepost_aligned_calloc(PAGE, size);
  struct mapping *mapping = __fencepost_keep(sizeof *mapping);
  struct mapping **list = &lists[__fencepost_self() % LISTS];
  __fencepost_poke_pointer(&mapping->hidden, hidden(start));
  __fencepost_poke_pointer(&mapping->size, (void *)size);
  __fencepost_poke_pointer(&mapping->older, __fencepost_glance_pointer(list));
  __fencepost_poke_pointer(list, mapping);
  return start;
}

int munmap(void *address, size_t size) {
  if (size == 0 || (size_t)address % PAGE != 0) {
    errno = EINVAL;
    return -1;
  }
  if (size_of(address) != whole_pages(size))
    __fencepost_not_modelled("munmap of anything but one whole anonymous mapping");
  __fencepost_free(address);
  return 0;
}

/* Before `free`. */
void __fencepost_check_not_mapped(void *pointer) {
  if (size_of(pointer) != 0) __fencepost_misuse("free of memory that came from mmap: use munmap");
}
