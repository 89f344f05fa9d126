#include "heap.h"

#include <limits.h>
#include <string.h>

enum { WORD_BITS = sizeof(unsigned) * CHAR_BIT };

struct rt_heap {
  rt_array *elements;
  rt_compare *compare;
  /* Room for one element, for exchanges. */
  void *scratch;
};

rt_heap *rt_heap_create(rt_pool *pool, size_t element_size, rt_compare *compare) {
  rt_heap *heap = rt_alloc(pool, sizeof *heap);
  if (heap == 0) return 0;
  heap->elements = rt_array_create(pool, 8, element_size);
  heap->compare = compare;
  heap->scratch = rt_alloc(pool, element_size);
  return heap->elements == 0 || heap->scratch == 0 ? 0 : heap;
}

static int is_less(const rt_heap *heap, size_t left, size_t right) {
  return heap->compare(rt_array_at(heap->elements, left), rt_array_at(heap->elements, right)) < 0;
}

static void exchange(rt_heap *heap, size_t left, size_t right) {
  size_t size = heap->elements->element_size;
  memcpy(heap->scratch, rt_array_at(heap->elements, left), size);
  memcpy(rt_array_at(heap->elements, left), rt_array_at(heap->elements, right), size);
  memcpy(rt_array_at(heap->elements, right), heap->scratch, size);
}

rt_status rt_heap_push(rt_heap *heap, const void *element) {
  void *place = rt_array_push(heap->elements);
  if (place == 0) return RT_NO_MEMORY;
  memcpy(place, element, heap->elements->element_size);
  for (size_t child = heap->elements->length - 1; child > 0;) {
    size_t parent = (child - 1) / 2;
    if (!is_less(heap, child, parent)) break;
    exchange(heap, child, parent);
    child = parent;
  }
  return RT_OK;
}

const void *rt_heap_first(const rt_heap *heap) {
  return heap->elements->length == 0 ? 0 : rt_array_at(heap->elements, 0);
}

rt_status rt_heap_pop(rt_heap *heap, void *element) {
  rt_array *elements = heap->elements;
  if (elements->length == 0) return RT_EMPTY;
  memcpy(element, rt_array_at(elements, 0), elements->element_size);
  exchange(heap, 0, elements->length - 1);
  rt_array_pop(elements);
  for (size_t parent = 0;;) {
    size_t least = parent;
    for (size_t child = 2 * parent + 1; child <= 2 * parent + 2; child++)
      if (child < elements->length && is_less(heap, child, least)) least = child;
    if (least == parent) return RT_OK;
    exchange(heap, parent, least);
    parent = least;
  }
}

size_t rt_heap_length(const rt_heap *heap) { return heap->elements->length; }

/* ---- bits */

rt_status rt_bits_init(rt_bits *bits, rt_pool *pool, size_t count) {
  bits->count = count;
  bits->words = rt_alloc_zeroed(pool, (count + WORD_BITS - 1) / WORD_BITS * sizeof(unsigned));
  return bits->words == 0 ? RT_NO_MEMORY : RT_OK;
}

void rt_bits_set(rt_bits *bits, size_t index) { bits->words[index / WORD_BITS] |= 1u << index % WORD_BITS; }

void rt_bits_reset(rt_bits *bits, size_t index) { bits->words[index / WORD_BITS] &= ~(1u << index % WORD_BITS); }

int rt_bits_get(const rt_bits *bits, size_t index) { return (bits->words[index / WORD_BITS] >> index % WORD_BITS) & 1; }

size_t rt_bits_number_set(const rt_bits *bits) {
  size_t number = 0;
  for (size_t i = 0; i < bits->count; i++) number += (size_t)rt_bits_get(bits, i);
  return number;
}

size_t rt_bits_first_free(const rt_bits *bits, size_t from) {
  while (from < bits->count && rt_bits_get(bits, from)) from++;
  return from;
}
