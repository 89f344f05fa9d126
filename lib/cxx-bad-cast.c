/* std::exception and what dynamic_cast and typeid throw, for programs that do not include their headers. */
#include <fencepost/exception.h>

extern void *_ZTVN10__cxxabiv117__class_type_infoE[8], *_ZTVN10__cxxabiv120__si_class_type_infoE[8];

static void nothing(void *object) { (void)object; }
static void end(void *object) { __fencepost_free(object); }

/* A description, and a table: the offset, the description, two destructors and what(). */
#define CLASS(name, text, ...)                                                \
  static const char *what_##name(void *object) {                              \
    (void)object;                                                             \
    return text;                                                              \
  }                                                                           \
  __attribute__((__weak__)) const void *const _ZTI##name[3] = {__VA_ARGS__};  \
  __attribute__((__weak__)) void *_ZTV##name[5] = {0, (void *)_ZTI##name, (void *)nothing, (void *)end, (void *)what_##name}

CLASS(St9exception, "std::exception", &_ZTVN10__cxxabiv117__class_type_infoE[2], "St9exception");
CLASS(St8bad_cast, "std::bad_cast", &_ZTVN10__cxxabiv120__si_class_type_infoE[2], "St8bad_cast", _ZTISt9exception);
CLASS(St10bad_typeid, "std::bad_typeid", &_ZTVN10__cxxabiv120__si_class_type_infoE[2], "St10bad_typeid", _ZTISt9exception);

static void *make(void **table) {
  void **object = __cxa_allocate_exception(sizeof *object);
  *object = &table[2];
  return object;
}

void __cxa_bad_cast(void);
void __cxa_bad_cast(void) {
  __fencepost_note_throw("the std::bad_cast of a dynamic_cast is never caught",
                         "the std::bad_cast of a dynamic_cast leaves a function that is noexcept");
  __cxa_throw(make(_ZTVSt8bad_cast), (const struct type *)_ZTISt8bad_cast, nothing);
}

void __cxa_bad_typeid(void);
void __cxa_bad_typeid(void) {
  __fencepost_note_throw("the std::bad_typeid of a typeid is never caught",
                         "the std::bad_typeid of a typeid leaves a function that is noexcept");
  __cxa_throw(make(_ZTVSt10bad_typeid), (const struct type *)_ZTISt10bad_typeid, nothing);
}
