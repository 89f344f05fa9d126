/*
 * operator new and delete of C++, in all forms; a program may replace each. Memory never runs out.
 *
 * Which operator made an object is in records of the thread that made it, which never change; whoever deletes the object
 * looks for it there. An object in no record came from malloc.
 */
#include <fencepost/library.h>
#include <stddef.h>
#include <stdlib.h>

enum kind { MALLOC, NEW, NEW_ARRAY };

struct record {
  void *object;
  int kind;
  struct record *older;
};

/* By the handle of the thread. */
enum { LISTS = 64 };
static struct record *lists[LISTS];

static int kind_of(void *object) {
  for (int list = 0; list < LISTS; list++) {
    struct record *record = __fencepost_glance_pointer(&lists[list]);
    for (; record; record = __fencepost_glance_pointer(&record->older))
      if (__fencepost_glance_pointer(&record->object) == object) return __fencepost_glance(&record->kind);
  }
  return MALLOC;
}

static void check_free(void *object) {
  int kind = kind_of(object);
  if (kind == NEW) __fencepost_misuse("free of an object that came from new: use delete");
  if (kind == NEW_ARRAY) __fencepost_misuse("free of an array that came from new[]: use delete[]");
}

static void *note(void *object, enum kind kind) {
  struct record *record = __fencepost_keep(sizeof *record);
  struct record **list = &lists[__fencepost_self() % LISTS];
  __fencepost_poke_pointer(&record->object, object);
  __fencepost_poke(&record->kind, (int)kind);
  __fencepost_poke_pointer(&record->older, __fencepost_glance_pointer(list));
  __fencepost_poke_pointer(list, record);
  __fencepost_poke_pointer(&__fencepost_freeing, (void *)check_free);
  return object;
}

static void *make(size_t size, enum kind kind) { return note(__fencepost_malloc(size), kind); }

static void *make_aligned(size_t size, size_t align, enum kind kind) {
  return note(__fencepost_aligned_malloc(align < 16 ? 16 : align, size), kind);
}

static void end(void *object, enum kind expected) {
  if (!object) return;
  int kind = kind_of(object);
  if (kind != (int)expected) {
    if (expected == NEW && kind == NEW_ARRAY) __fencepost_misuse("delete of an array that came from new[]: use delete[]");
    if (expected == NEW_ARRAY && kind == NEW) __fencepost_misuse("delete[] of an object that came from new: use delete");
    /* Also freed already, or never an object: then freeing it says so. */
    __fencepost_size(object);
    __fencepost_misuse(expected == NEW ? "delete of an object that came from malloc: use free"
                                       : "delete[] of an object that came from malloc: use free");
  }
  __fencepost_free(object);
}

/* The names that C++ gives them; the letter of size_t is its type's. */
#if __SIZEOF_SIZE_T__ == 8
#define SIZED(before, after) before##m##after
#else
#define SIZED(before, after) before##j##after
#endif

#define NEWS(letter, kind)                                                                                            \
  void *SIZED(_Zn##letter, )(size_t size);                                                                            \
  void *SIZED(_Zn##letter, )(size_t size) { return make(size, kind); }                                                \
  void *SIZED(_Zn##letter, RKSt9nothrow_t)(size_t size, const void *nothrow);                                         \
  void *SIZED(_Zn##letter, RKSt9nothrow_t)(size_t size, const void *nothrow) {                                        \
    (void)nothrow;                                                                                                    \
    return make(size, kind);                                                                                          \
  }                                                                                                                   \
  void *SIZED(_Zn##letter, St11align_val_t)(size_t size, size_t align);                                               \
  void *SIZED(_Zn##letter, St11align_val_t)(size_t size, size_t align) { return make_aligned(size, align, kind); }    \
  void *SIZED(_Zn##letter, St11align_val_tRKSt9nothrow_t)(size_t size, size_t align, const void *nothrow);            \
  void *SIZED(_Zn##letter, St11align_val_tRKSt9nothrow_t)(size_t size, size_t align, const void *nothrow) {           \
    (void)nothrow;                                                                                                    \
    return make_aligned(size, align, kind);                                                                           \
  }
NEWS(w, NEW)
NEWS(a, NEW_ARRAY)

#define DELETES(letter, kind)                                                                                         \
  void _Zd##letter##Pv(void *object);                                                                                 \
  void _Zd##letter##Pv(void *object) { end(object, kind); }                                                           \
  void SIZED(_Zd##letter##Pv, )(void *object, size_t size);                                                           \
  void SIZED(_Zd##letter##Pv, )(void *object, size_t size) {                                                          \
    (void)size;                                                                                                       \
    end(object, kind);                                                                                                \
  }                                                                                                                   \
  void _Zd##letter##PvRKSt9nothrow_t(void *object, const void *nothrow);                                              \
  void _Zd##letter##PvRKSt9nothrow_t(void *object, const void *nothrow) {                                             \
    (void)nothrow;                                                                                                    \
    end(object, kind);                                                                                                \
  }                                                                                                                   \
  void _Zd##letter##PvSt11align_val_t(void *object, size_t align);                                                    \
  void _Zd##letter##PvSt11align_val_t(void *object, size_t align) {                                                   \
    (void)align;                                                                                                      \
    end(object, kind);                                                                                                \
  }                                                                                                                   \
  void SIZED(_Zd##letter##Pv, St11align_val_t)(void *object, size_t size, size_t align);                              \
  void SIZED(_Zd##letter##Pv, St11align_val_t)(void *object, size_t size, size_t align) {                             \
    (void)size;                                                                                                       \
    (void)align;                                                                                                      \
    end(object, kind);                                                                                                \
  }
DELETES(l, NEW)
DELETES(a, NEW_ARRAY)

/* std::nothrow */
const char _ZSt7nothrow = 0;
const char _ZNSt3__27nothrowE = 0;
