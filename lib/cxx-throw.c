/* Exceptions are not modelled: an execution that throws ends there, without a verdict. */
#include <fencepost/library.h>
#include <stddef.h>

__attribute__((__noreturn__)) void *__cxa_allocate_exception(size_t size);
void *__cxa_allocate_exception(size_t size) {
  (void)size;
  __fencepost_not_modelled("throw is not modelled");
}

__attribute__((__noreturn__)) void __cxa_rethrow(void);
void __cxa_rethrow(void) { __fencepost_not_modelled("throw is not modelled"); }

/* Nothing is ever in flight. */
int _ZSt19uncaught_exceptionsv(void);
int _ZSt19uncaught_exceptionsv(void) { return 0; }
_Bool _ZSt18uncaught_exceptionv(void);
_Bool _ZSt18uncaught_exceptionv(void) { return 0; }
