/* No include guard: NDEBUG takes effect each time this header is included. */
#undef assert

#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
  ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __extension__ __PRETTY_FUNCTION__))
#endif

#ifndef FENCEPOST_ASSERT_H
#define FENCEPOST_ASSERT_H

#ifdef __cplusplus
extern "C"
#endif
__attribute__((__noreturn__)) void __assert_fail(const char *expression, const char *file, unsigned line,
                                                 const char *function);

#if defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L && __STDC_VERSION__ <= 201710L
#define static_assert _Static_assert
#endif

#endif
