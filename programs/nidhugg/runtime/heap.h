/* Priority queues and bit sets, in pools. */
#ifndef RT_HEAP_H
#define RT_HEAP_H

#include "array.h"

typedef struct rt_heap rt_heap;

/* The least element comes first; equal ones in any order. */
rt_heap *rt_heap_create(rt_pool *pool, size_t element_size, rt_compare *compare);
rt_status rt_heap_push(rt_heap *heap, const void *element);
const void *rt_heap_first(const rt_heap *heap);
rt_status rt_heap_pop(rt_heap *heap, void *element);
size_t rt_heap_length(const rt_heap *heap);

typedef struct rt_bits {
  size_t count;
  unsigned *words;
} rt_bits;

rt_status rt_bits_init(rt_bits *bits, rt_pool *pool, size_t count);
void rt_bits_set(rt_bits *bits, size_t index);
void rt_bits_reset(rt_bits *bits, size_t index);
int rt_bits_get(const rt_bits *bits, size_t index);
size_t rt_bits_number_set(const rt_bits *bits);
/* The first one from `from` on that is not set; `count` if there is none. */
size_t rt_bits_first_free(const rt_bits *bits, size_t from);

#endif
