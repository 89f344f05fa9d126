#ifndef FENCEPOST_STRING_H
#define FENCEPOST_STRING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *memcpy(void *__restrict to, const void *__restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *memory, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);
void *memchr(const void *memory, int value, size_t size);

size_t strlen(const char *text);
char *strcpy(char *__restrict to, const char *__restrict from);
char *strncpy(char *__restrict to, const char *__restrict from, size_t size);
char *strcat(char *__restrict to, const char *__restrict from);
char *strncat(char *__restrict to, const char *__restrict from, size_t size);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t size);
char *strchr(const char *text, int character);
char *strrchr(const char *text, int character);
size_t strnlen(const char *text, size_t size);
char *stpcpy(char *__restrict to, const char *__restrict from);
char *strstr(const char *text, const char *part);
size_t strspn(const char *text, const char *accept);
size_t strcspn(const char *text, const char *reject);
char *strpbrk(const char *text, const char *accept);
/* Each thread has its own saved position. */
char *strtok(char *__restrict text, const char *__restrict separators);
char *strtok_r(char *__restrict text, const char *__restrict separators, char **__restrict rest);
char *strdup(const char *text);
char *strndup(const char *text, size_t size);
int strcoll(const char *left, const char *right);
size_t strxfrm(char *__restrict to, const char *__restrict from, size_t size);
void *memccpy(void *__restrict to, const void *__restrict from, int value, size_t size);
void *mempcpy(void *__restrict to, const void *__restrict from, size_t size);
void *memrchr(const void *memory, int value, size_t size);
void *memmem(const void *memory, size_t size, const void *part, size_t part_size);
char *stpncpy(char *__restrict to, const char *__restrict from, size_t size);
char *strchrnul(const char *text, int character);
char *strcasestr(const char *text, const char *part);
char *strsep(char **__restrict text, const char *__restrict separators);
void explicit_bzero(void *memory, size_t size);
char *strerror(int error);
char *strsignal(int signal);
/* The POSIX version; glibc has another one under the same name. */
int strerror_r(int error, char *buffer, size_t size) __asm__("__xpg_strerror_r");

#ifdef __cplusplus
}
#endif

#endif
