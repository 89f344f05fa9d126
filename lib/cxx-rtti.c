/* Types at run time: the tables that descriptions of types point to, those of simple types, and dynamic_cast. */
#include <fencepost/exception.h>

/* A description points past two words. */
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

#define SIMPLE(letter)               \
  extern const struct type _ZTI##letter; \
  const struct type _ZTI##letter = {&_ZTVN10__cxxabiv123__fundamental_type_infoE[2], #letter}

struct pointer_type {
  struct type type;
  int flags;
  const struct type *to;
};
#define POINTER(letters, flags, to)             \
  extern const struct pointer_type _ZTI##letters; \
  const struct pointer_type _ZTI##letters = {{&_ZTVN10__cxxabiv119__pointer_type_infoE[2], #letters}, flags, &_ZTI##to}
/* Also for pointers to them, as in every runtime. */
#define FUNDAMENTAL(letters) \
  SIMPLE(letters);           \
  POINTER(P##letters, 0, letters); \
  POINTER(PK##letters, 1, letters)
FUNDAMENTAL(v);
FUNDAMENTAL(b);
FUNDAMENTAL(w);
FUNDAMENTAL(c);
FUNDAMENTAL(a);
FUNDAMENTAL(h);
FUNDAMENTAL(s);
FUNDAMENTAL(t);
FUNDAMENTAL(i);
FUNDAMENTAL(j);
FUNDAMENTAL(l);
FUNDAMENTAL(m);
FUNDAMENTAL(x);
FUNDAMENTAL(y);
FUNDAMENTAL(n);
FUNDAMENTAL(o);
FUNDAMENTAL(f);
FUNDAMENTAL(d);
FUNDAMENTAL(e);
FUNDAMENTAL(g);
FUNDAMENTAL(Dh);
FUNDAMENTAL(DF16_);
FUNDAMENTAL(DF16b);
FUNDAMENTAL(Du);
FUNDAMENTAL(Ds);
FUNDAMENTAL(Di);
FUNDAMENTAL(Dn);

struct derived {
  struct type type;
  const struct type *base;
};

struct base {
  const struct type *type;
  /* The upper bits: the offset, or its place in the table; the lower ones: whether the base is virtual, and public. */
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

/* Whether the type has that base; then the object becomes its subobject. */
static int find_base(void **object, const struct type *type, const struct type *wanted) {
  if (type == wanted) return 1;
  if (is_like(type, _ZTVN10__cxxabiv120__si_class_type_infoE))
    return find_base(object, __fencepost_glance_pointer(&((const struct derived *)type)->base), wanted);
  if (!is_like(type, _ZTVN10__cxxabiv121__vmi_class_type_infoE)) return 0;
  const struct derived_from_several *several = (const struct derived_from_several *)type;
  if (__fencepost_glance(&several->flags) & REPEATED)
    __fencepost_not_modelled("a conversion at run time of a class that has the same base twice");
  unsigned count = (unsigned)__fencepost_glance(&several->count);
  for (unsigned i = 0; i < count; i++) {
    long flags = (long)__fencepost_glance_pointer(&several->bases[i].flags);
    if (!(flags & PUBLIC)) continue;
    long offset = flags >> SHIFT;
    void *base = *object;
    if (base && flags & VIRTUAL) offset = (long)__fencepost_glance_pointer((char *)__fencepost_glance_pointer(base) + offset);
    if (base) base = (char *)base + offset;
    if (!find_base(&base, __fencepost_glance_pointer(&several->bases[i].type), wanted)) continue;
    *object = base;
    return 1;
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
  void *part = whole;
  return find_base(&part, table[-1], to) ? part : 0;
}

static int is_pointer(const struct type *type) { return is_like(type, _ZTVN10__cxxabiv119__pointer_type_infoE); }

static int is_member_pointer(const struct type *type) {
  return is_like(type, _ZTVN10__cxxabiv129__pointer_to_member_type_infoE);
}

struct member_pointer_type {
  struct pointer_type pointer;
  const struct type *of;
};

/* For a pointer's target: const, volatile and restrict may be added, promises of functions may be dropped. */
enum { CONST = 1, QUALIFIERS = 7, PROMISES = 0x60 };

static int is_function(const struct type *type) { return is_like(type, _ZTVN10__cxxabiv120__function_type_infoE); }

static const struct type *target(const struct type *pointer) {
  return __fencepost_glance_pointer(&((const struct pointer_type *)pointer)->to);
}

static int flags_of(const struct type *pointer) { return __fencepost_glance(&((const struct pointer_type *)pointer)->flags); }

static int may_qualify(const struct type *from, const struct type *to) {
  int had = flags_of(from), has = flags_of(to);
  return !(had & ~has & QUALIFIERS) && !(has & ~had & PROMISES);
}

static int is_same_class(const struct type *from, const struct type *to) {
  return __fencepost_glance_pointer(&((const struct member_pointer_type *)from)->of) ==
         __fencepost_glance_pointer(&((const struct member_pointer_type *)to)->of);
}

/* Whether the types differ only in qualifiers. Deeper ones may be added if all levels above are const. */
static int is_similar(const struct type *from, const struct type *to) {
  for (;; from = target(from), to = target(to)) {
    if (from == to) return 1;
    int are_members = is_member_pointer(from) && is_member_pointer(to);
    if (!are_members && !(is_pointer(from) && is_pointer(to))) return 0;
    if (are_members && !is_same_class(from, to)) return 0;
    if (!may_qualify(from, to)) return 0;
    if (target(from) != target(to) && !(flags_of(to) & CONST)) return 0;
  }
}

/* Pointers to no member. */
static const long no_data = -1, no_function[2];

static int converts_member(const struct type *thrown, const struct type *wanted, void **object) {
  if (thrown != &_ZTIDn) return is_similar(thrown, wanted);
  *object = is_function(target(wanted)) ? (void *)no_function : (void *)&no_data;
  return 1;
}

int __fencepost_converts(const struct type *thrown, const struct type *wanted, void **object) {
  if (is_member_pointer(wanted)) return converts_member(thrown, wanted, object);
  if (!is_pointer(wanted)) return find_base(object, thrown, wanted);
  int isNull = thrown == &_ZTIDn;
  if (!isNull && !is_pointer(thrown)) return 0;
  void *value = isNull ? 0 : __fencepost_glance_pointer(*object);
  if (!isNull && !is_similar(thrown, wanted)) {
    if (!may_qualify(thrown, wanted)) return 0;
    const struct type *from = target(thrown), *to = target(wanted);
    if (to == &_ZTIv ? is_function(from) : is_pointer(to) || !find_base(&value, from, to)) return 0;
  }
  *object = value;
  return 1;
}
