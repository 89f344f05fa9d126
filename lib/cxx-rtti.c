/* Types at run time: the tables that descriptions of types point to, those of simple types, and dynamic_cast. */
#include <fencepost/library.h>
#include <stddef.h>

/* A description points behind two words. */
#define TABLE(name) void *name[8] = {0}
TABLE(_ZTVN10__cxxabiv117__class_type_infoE);
TABLE(_ZTVN10__cxxabiv120__si_class_type_infoE);
TABLE(_ZTVN10__cxxabiv121__vmi_class_type_infoE);
TABLE(_ZTVN10__cxxabiv119__pointer_type_infoE);
TABLE(_ZTVN10__cxxabiv123__fundamental_type_infoE);
TABLE(_ZTVN10__cxxabiv120__function_type_infoE);
TABLE(_ZTVN10__cxxabiv116__enum_type_infoE);
TABLE(_ZTVN10__cxxabiv117__array_type_infoE);
TABLE(_ZTVN10__cxxabiv129__pointer_to_member_type_infoE);

struct type {
  void **table;
  const char *name;
};

#define SIMPLE(letter)               \
  extern const struct type _ZTI##letter; \
  const struct type _ZTI##letter = {&_ZTVN10__cxxabiv123__fundamental_type_infoE[2], #letter}
SIMPLE(v);
SIMPLE(b);
SIMPLE(c);
SIMPLE(a);
SIMPLE(h);
SIMPLE(s);
SIMPLE(t);
SIMPLE(i);
SIMPLE(j);
SIMPLE(l);
SIMPLE(m);
SIMPLE(x);
SIMPLE(y);
SIMPLE(f);
SIMPLE(d);
SIMPLE(e);
SIMPLE(w);
SIMPLE(Dn);

struct pointer_type {
  struct type type;
  int flags;
  const struct type *to;
};
#define POINTER(letters, flags, to)             \
  extern const struct pointer_type _ZTI##letters; \
  const struct pointer_type _ZTI##letters = {{&_ZTVN10__cxxabiv119__pointer_type_infoE[2], #letters}, flags, &_ZTI##to}
POINTER(Pv, 0, v);
POINTER(PKv, 1, v);
POINTER(Pc, 0, c);
POINTER(PKc, 1, c);
POINTER(Pi, 0, i);
POINTER(PKi, 1, i);

struct derived {
  struct type type;
  const struct type *base;
};

struct base {
  const struct type *type;
  /* The offset, or where the table has it, in the upper bits; whether it is virtual, and public, in the lower ones. */
  long flags;
};

struct derived_from_several {
  struct type type;
  unsigned flags;
  unsigned count;
  struct base bases[];
};

enum { VIRTUAL = 1, PUBLIC = 2, SHIFT = 8, REPEATED = 1 };

static int is_like(const struct type *type, void **table) {
  return __fencepost_glance_pointer(&type->table) == (void *)&table[2];
}

/* Where the base of that type is in the object; null if there is none. The description of a base is where the object's says. */
void *__fencepost_find_base(void *object, const struct type *type, const struct type *wanted);
void *__fencepost_find_base(void *object, const struct type *type, const struct type *wanted) {
  if (type == wanted) return object;
  if (is_like(type, _ZTVN10__cxxabiv120__si_class_type_infoE))
    return __fencepost_find_base(object, __fencepost_glance_pointer(&((const struct derived *)type)->base), wanted);
  if (!is_like(type, _ZTVN10__cxxabiv121__vmi_class_type_infoE)) return 0;
  const struct derived_from_several *several = (const struct derived_from_several *)type;
  if (__fencepost_glance(&several->flags) & REPEATED)
    __fencepost_not_modelled("a conversion at run time of a class that has a base twice is not modelled");
  unsigned count = (unsigned)__fencepost_glance(&several->count);
  for (unsigned i = 0; i < count; i++) {
    long flags = (long)__fencepost_glance_pointer(&several->bases[i].flags);
    if (!(flags & PUBLIC)) continue;
    long offset = flags >> SHIFT;
    if (object && flags & VIRTUAL) offset = (long)__fencepost_glance_pointer(*(char **)object + offset);
    void *base = object ? (char *)object + offset : 0;
    void *found = __fencepost_find_base(base, __fencepost_glance_pointer(&several->bases[i].type), wanted);
    if (found) return found;
  }
  return 0;
}

/*
 * From a pointer to a base to the whole object, and from there to the type.
 */
void *__dynamic_cast(void *object, const struct type *from, const struct type *to, ptrdiff_t hint);
void *__dynamic_cast(void *object, const struct type *from, const struct type *to, ptrdiff_t hint) {
  (void)from;
  (void)hint;
  void **table = *(void ***)object;
  char *whole = (char *)object + (ptrdiff_t)table[-2];
  return __fencepost_find_base(whole, table[-1], to);
}

/* These throw, and somebody may catch it: no verdict, as for every throw. */
__attribute__((__noreturn__)) void __cxa_bad_cast(void);
void __cxa_bad_cast(void) { __fencepost_not_modelled("throw of std::bad_cast is not modelled"); }

__attribute__((__noreturn__)) void __cxa_bad_typeid(void);
void __cxa_bad_typeid(void) { __fencepost_not_modelled("throw of std::bad_typeid is not modelled"); }
