#ifndef FENCEPOST_EXECINFO_H
#define FENCEPOST_EXECINFO_H

#ifdef __cplusplus
extern "C" {
#endif

/* Declared only. */
int backtrace(void **addresses, int most);
char **backtrace_symbols(void *const *addresses, int count);
void backtrace_symbols_fd(void *const *addresses, int count, int file);

#ifdef __cplusplus
}
#endif

#endif
