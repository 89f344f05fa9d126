#ifndef FENCEPOST_MALLOC_H
#define FENCEPOST_MALLOC_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

struct mallinfo {
  int arena;
  int ordblks;
  int smblks;
  int hblks;
  int hblkhd;
  int usmblks;
  int fsmblks;
  int uordblks;
  int fordblks;
  int keepcost;
};
#define M_MXFAST 1
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
#define M_MMAP_THRESHOLD (-3)
#define M_MMAP_MAX (-4)
#define M_ARENA_MAX (-8)

/* Declared only. */
void *memalign(size_t align, size_t size);
void *valloc(size_t size);
void *pvalloc(size_t size);
size_t malloc_usable_size(void *pointer);
struct mallinfo mallinfo(void);
int mallopt(int option, int value);
int malloc_trim(size_t rest);
void malloc_stats(void);

#ifdef __cplusplus
}
#endif

#endif
