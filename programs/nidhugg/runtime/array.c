#include "array.h"

#include <string.h>

rt_array *rt_array_create(rt_pool *pool, size_t room, size_t element_size) {
  rt_array *array = rt_alloc(pool, sizeof *array);
  if (array == 0 || element_size == 0) return 0;
  array->pool = pool;
  array->element_size = element_size;
  array->length = 0;
  array->room = room == 0 ? 1 : room;
  array->elements = rt_alloc(pool, array->room * element_size);
  return array->elements == 0 ? 0 : array;
}

rt_array *rt_array_copy(rt_pool *pool, const rt_array *array) {
  rt_array *copy = rt_array_create(pool, array->length, array->element_size);
  if (copy == 0) return 0;
  return rt_array_append(copy, array) == RT_OK ? copy : 0;
}

static rt_status make_room(rt_array *array, size_t length) {
  if (length <= array->room) return RT_OK;
  size_t room = array->room * 2;
  while (room < length) room *= 2;
  char *elements = rt_alloc(array->pool, room * array->element_size);
  if (elements == 0) return RT_NO_MEMORY;
  memcpy(elements, array->elements, array->length * array->element_size);
  array->elements = elements;
  array->room = room;
  return RT_OK;
}

void *rt_array_at(const rt_array *array, size_t index) { return array->elements + index * array->element_size; }

void *rt_array_push(rt_array *array) {
  if (make_room(array, array->length + 1) != RT_OK) return 0;
  return rt_array_at(array, array->length++);
}

void *rt_array_pop(rt_array *array) { return array->length == 0 ? 0 : rt_array_at(array, --array->length); }

void rt_array_clear(rt_array *array) { array->length = 0; }

rt_status rt_array_append(rt_array *array, const rt_array *more) {
  if (array->element_size != more->element_size) return RT_INVALID;
  size_t added = more->length;
  RT_TRY(make_room(array, array->length + added));
  memcpy(rt_array_at(array, array->length), more->elements, added * more->element_size);
  array->length += added;
  return RT_OK;
}

void rt_array_remove(rt_array *array, size_t index) {
  if (index >= array->length) return;
  char *place = rt_array_at(array, index);
  memmove(place, place + array->element_size, (array->length - index - 1) * array->element_size);
  array->length--;
}

rt_status rt_array_sort(rt_array *array, rt_compare *compare) {
  size_t size = array->element_size;
  char *element = rt_alloc(array->pool, size);
  if (element == 0) return RT_NO_MEMORY;
  for (size_t i = 1; i < array->length; i++) {
    memcpy(element, rt_array_at(array, i), size);
    size_t place = i;
    while (place > 0 && compare(rt_array_at(array, place - 1), element) > 0) {
      memcpy(rt_array_at(array, place), rt_array_at(array, place - 1), size);
      place--;
    }
    memcpy(rt_array_at(array, place), element, size);
  }
  return RT_OK;
}

size_t rt_array_find(const rt_array *array, const void *element, rt_compare *compare) {
  size_t low = 0, high = array->length;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(rt_array_at(array, middle), element) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
