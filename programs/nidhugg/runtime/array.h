/* Arrays that grow, in pools. Elements move when the array grows, which invalidates pointers into it. */
#ifndef RT_ARRAY_H
#define RT_ARRAY_H

#include "pool.h"

typedef struct rt_array {
  rt_pool *pool;
  size_t element_size;
  size_t length;
  size_t room;
  char *elements;
} rt_array;

typedef int rt_compare(const void *left, const void *right);

/* Null if there is no memory. */
rt_array *rt_array_create(rt_pool *pool, size_t room, size_t element_size);
rt_array *rt_array_copy(rt_pool *pool, const rt_array *array);

/* A new, empty element at the end; null if there is no memory. */
void *rt_array_push(rt_array *array);
/* The last element, which stays readable until the next push; null if there is none. */
void *rt_array_pop(rt_array *array);
void *rt_array_at(const rt_array *array, size_t index);
void rt_array_clear(rt_array *array);
rt_status rt_array_append(rt_array *array, const rt_array *more);
void rt_array_remove(rt_array *array, size_t index);

/* Keeps the order of equal elements. */
rt_status rt_array_sort(rt_array *array, rt_compare *compare);
/* In a sorted array: the first element that is not less. */
size_t rt_array_find(const rt_array *array, const void *element, rt_compare *compare);

#endif
