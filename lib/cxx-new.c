/*
 * operator new and delete of C++, in all forms; a program may replace each. Memory never runs out.
 *
 * Which operator made an object is in immutable records of the thread that made it; a thread that deletes the object
 * looks for it there. An object in no record came from malloc.
 */
#include <fencepost/library.h>
#include <stddef.h>
#include <stdlib.h>

enum kind { MALLOC, NEW, NEW_ARRAY };

struct record {
  void *hidden;
  /* A size. */
  void *size;
  /* An alignment, null if none was given. */
  void *align;
  int kind;
  struct record *older;
};

/* By the handle of the thread. */
enum { LISTS = 64 };
static struct record *lists[LISTS];

/* A record must not look like a pointer to its object, which would then never be a leak. */
static void *hidden(void *object) { return (void *)~(size_t)object; }

/* Null if it came from malloc. */
static struct record *find(void *object) {
  void *wanted = hidden(object);
  for (int list = 0; list < LISTS; list++) {
    struct record *record = __fencepost_glance_pointer(&lists[list]);
    for (; record; record = __fencepost_glance_pointer(&record->older))
      if (__fencepost_glance_pointer(&record->hidden) == wanted) return record;
  }
  return 0;
}

static int kind_of(void *object) {
  struct record *record = find(object);
  return record ? __fencepost_glance(&record->kind) : MALLOC;
}

static void check_free(void *object) {
  int kind = kind_of(object);
  if (kind == NEW) __fencepost_misuse("free of an object that came from new: use delete");
  if (kind == NEW_ARRAY) __fencepost_misuse("free of an array that came from new[]: use delete[]");
}

static void *note(void *object, size_t size, size_t align, enum kind kind) {
  struct record *record = __fencepost_keep(sizeof *record);
  struct record **list = &lists[__fencepost_self() % LISTS];
  __fencepost_poke_pointer(&record->hidden, hidden(object));
  __fencepost_poke_pointer(&record->size, (void *)size);
  __fencepost_poke_pointer(&record->align, (void *)align);
  __fencepost_poke(&record->kind, (int)kind);
  __fencepost_poke_pointer(&record->older, __fencepost_glance_pointer(list));
  __fencepost_poke_pointer(list, record);
  __fencepost_poke_pointer(&__fencepost_freeing, (void *)check_free);
  return object;
}

static void *make(size_t size, enum kind kind) { return note(__fencepost_malloc(size), size, 0, kind); }

static void *make_aligned(size_t size, size_t align, enum kind kind) {
  return note(__fencepost_aligned_malloc(align < 16 ? 16 : align, size), size, align, kind);
}

static void end(void *object, size_t align, enum kind expected) {
  if (!object) return;
  int kind = kind_of(object);
  if (kind != (int)expected) {
    if (expected == NEW && kind == NEW_ARRAY) __fencepost_misuse("delete of an array that came from new[]: use delete[]");
    if (expected == NEW_ARRAY && kind == NEW) __fencepost_misuse("delete[] of an object that came from new: use delete");
    /* It may also have been freed already, or never been an object: then freeing it says so. */
    __fencepost_size(object);
    __fencepost_misuse(expected == NEW ? "delete of an object that came from malloc: use free"
                                       : "delete[] of an object that came from malloc: use free");
  }
  if (__fencepost_glance_pointer(&find(object)->align) != (void *)align)
    __fencepost_misuse("delete with another alignment than new: a pointer to a type that is aligned in another way?");
  __fencepost_free(object);
}

/* The size of the pointer's type: another type's, if the destructor is not virtual. Other mismatches come first. */
static void check_size(void *object, size_t size, enum kind expected) {
  struct record *record = find(object);
  if (record && __fencepost_glance(&record->kind) == (int)expected &&
      __fencepost_glance_pointer(&record->size) != (void *)size)
    __fencepost_misuse("delete of an object by a pointer to a type of another size: a base without a virtual destructor?");
}

/* The names that C++ gives them; the letter of size_t is its type's. */
#if __SIZEOF_SIZE_T__ == 8
#define SIZED(before, after) before##m##after
#else
#define SIZED(before, after) before##j##after
#endif

/* The other forms call these, or the program's replacements. */
#define WEAK __attribute__((__weak__))

#define NEWS(letter, kind)                                                                                            \
  WEAK void *SIZED(_Zn##letter, )(size_t size);                                                                       \
  void *SIZED(_Zn##letter, )(size_t size) { return make(size, kind); }                                                \
  void *SIZED(_Zn##letter, RKSt9nothrow_t)(size_t size, const void *nothrow);                                         \
  void *SIZED(_Zn##letter, RKSt9nothrow_t)(size_t size, const void *nothrow) {                                        \
    (void)nothrow;                                                                                                    \
    return SIZED(_Zn##letter, )(size);                                                                                \
  }                                                                                                                   \
  WEAK void *SIZED(_Zn##letter, St11align_val_t)(size_t size, size_t align);                                          \
  void *SIZED(_Zn##letter, St11align_val_t)(size_t size, size_t align) { return make_aligned(size, align, kind); }    \
  void *SIZED(_Zn##letter, St11align_val_tRKSt9nothrow_t)(size_t size, size_t align, const void *nothrow);            \
  void *SIZED(_Zn##letter, St11align_val_tRKSt9nothrow_t)(size_t size, size_t align, const void *nothrow) {           \
    (void)nothrow;                                                                                                    \
    return SIZED(_Zn##letter, St11align_val_t)(size, align);                                                          \
  }
NEWS(w, NEW)
NEWS(a, NEW_ARRAY)

#define DELETES(letter, kind)                                                                                         \
  WEAK void _Zd##letter##Pv(void *object);                                                                            \
  void _Zd##letter##Pv(void *object) { end(object, 0, kind); }                                                           \
  void SIZED(_Zd##letter##Pv, )(void *object, size_t size);                                                           \
  void SIZED(_Zd##letter##Pv, )(void *object, size_t size) {                                                          \
    check_size(object, size, kind);                                                                                   \
    _Zd##letter##Pv(object);                                                                                          \
  }                                                                                                                   \
  void _Zd##letter##PvRKSt9nothrow_t(void *object, const void *nothrow);                                              \
  void _Zd##letter##PvRKSt9nothrow_t(void *object, const void *nothrow) {                                             \
    (void)nothrow;                                                                                                    \
    _Zd##letter##Pv(object);                                                                                          \
  }                                                                                                                   \
  WEAK void _Zd##letter##PvSt11align_val_t(void *object, size_t align);                                               \
  void _Zd##letter##PvSt11align_val_t(void *object, size_t align) {                                                   \
    end(object, align, kind);                                                                                         \
  }                                                                                                                   \
  void SIZED(_Zd##letter##Pv, St11align_val_t)(void *object, size_t size, size_t align);                              \
  void SIZED(_Zd##letter##Pv, St11align_val_t)(void *object, size_t size, size_t align) {                             \
    check_size(object, size, kind);                                                                                   \
    _Zd##letter##PvSt11align_val_t(object, align);                                                                    \
  }
DELETES(l, NEW)
DELETES(a, NEW_ARRAY)

/* std::nothrow */
const char _ZSt7nothrow = 0;
const char _ZNSt3__27nothrowE = 0;
