#ifndef FENCEPOST_SYS_CDEFS_H
#define FENCEPOST_SYS_CDEFS_H

/* The macros with which C libraries write their declarations. */
#ifdef __cplusplus
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#else
#define __BEGIN_DECLS
#define __END_DECLS
#endif

#define __P(arguments) arguments
#define __CONCAT(x, y) x##y
#define __STRING(x) #x
#define __THROW
#define __THROWNL
#define __NTH(function) function
#define __ptr_t void *
#define __restrict_arr __restrict
#define __flexarr []
#define __nonnull(parameters) __attribute__((__nonnull__ parameters))
#define __wur
#define __attribute_malloc__ __attribute__((__malloc__))
#define __attribute_pure__ __attribute__((__pure__))
#define __attribute_const__ __attribute__((__const__))
#define __attribute_used__ __attribute__((__used__))
#define __attribute_noinline__ __attribute__((__noinline__))
#define __attribute_deprecated__ __attribute__((__deprecated__))
#define __attribute_warn_unused_result__ __attribute__((__warn_unused_result__))
#ifndef __always_inline
#define __always_inline __inline __attribute__((__always_inline__))
#endif
#define __glibc_likely(condition) __builtin_expect((condition), 1)
#define __glibc_unlikely(condition) __builtin_expect((condition), 0)
#define __glibc_has_attribute(attribute) __has_attribute(attribute)
#define __glibc_has_builtin(name) __has_builtin(name)

#endif
