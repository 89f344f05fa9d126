#include <stdlib.h>

static void swap(char *left, char *right, size_t size) {
  if (((__UINTPTR_TYPE__)left | (__UINTPTR_TYPE__)right | size) % sizeof(int) == 0) {
    for (size_t i = 0; i < size; i += sizeof(int)) {
      int l = *(int *)(left + i), r = *(int *)(right + i);
      *(int *)(left + i) = r;
      *(int *)(right + i) = l;
    }
    return;
  }
  for (size_t i = 0; i < size; i++) {
    char l = left[i], r = right[i];
    left[i] = r;
    right[i] = l;
  }
}

/* Insertion sort for few elements, heap sort otherwise: it allocates nothing and is never quadratic. */
enum { LITTLE = 8 };

static void sift(char *base, size_t start, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  for (size_t parent = start, child; (child = 2 * parent + 1) < count; parent = child) {
    if (child + 1 < count && compare(base + child * size, base + (child + 1) * size) < 0) child++;
    if (compare(base + parent * size, base + child * size) >= 0) return;
    swap(base + parent * size, base + child * size, size);
  }
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *first = base;
  if (count <= LITTLE) {
    for (size_t i = 1; i < count; i++) {
      for (size_t j = i; j > 0 && compare(first + (j - 1) * size, first + j * size) > 0; j--)
        swap(first + (j - 1) * size, first + j * size, size);
    }
    return;
  }
  for (size_t i = count / 2; i-- > 0;) sift(first, i, count, size, compare);
  for (size_t end = count - 1; end > 0; end--) {
    swap(first, first + end * size, size);
    sift(first, 0, end, size, compare);
  }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const char *first = base;
  while (count > 0) {
    const char *middle = first + count / 2 * size;
    int order = compare(key, middle);
    if (order == 0) return (void *)middle;
    if (order > 0) {
      first = middle + size;
      count -= count / 2 + 1;
    } else {
      count /= 2;
    }
  }
  return NULL;
}
