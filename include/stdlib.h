#ifndef FENCEPOST_STDLIB_H
#define FENCEPOST_STDLIB_H

#include <stddef.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *pointer);

__attribute__((__noreturn__)) void exit(int status);
__attribute__((__noreturn__)) void _Exit(int status);
__attribute__((__noreturn__)) void abort(void);

int abs(int value);
long labs(long value);
__extension__ long long llabs(long long value);

int atoi(const char *text);
long atol(const char *text);
__extension__ long long atoll(const char *text);

#endif
