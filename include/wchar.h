#ifndef FENCEPOST_WCHAR_H
#define FENCEPOST_WCHAR_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <wctype.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int __words[2];
} mbstate_t;
struct tm;

/* Declared only. */
size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *__restrict to, const wchar_t *__restrict from);
wchar_t *wcsncpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
wchar_t *wcscat(wchar_t *__restrict to, const wchar_t *__restrict from);
int wcscmp(const wchar_t *left, const wchar_t *right);
int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count);
wchar_t *wcschr(const wchar_t *text, wchar_t character);
wchar_t *wcsrchr(const wchar_t *text, wchar_t character);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *part);
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set);
wchar_t *wmemchr(const wchar_t *text, wchar_t character, size_t count);
wchar_t *wmemcpy(wchar_t *__restrict to, const wchar_t *__restrict from, size_t count);
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count);
wchar_t *wmemset(wchar_t *to, wchar_t character, size_t count);
int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count);
size_t mbrtowc(wchar_t *__restrict to, const char *__restrict from, size_t size, mbstate_t *__restrict state);
size_t wcrtomb(char *__restrict to, wchar_t character, mbstate_t *__restrict state);
size_t mbrlen(const char *__restrict from, size_t size, mbstate_t *__restrict state);
size_t mbsrtowcs(wchar_t *__restrict to, const char **__restrict from, size_t count, mbstate_t *__restrict state);
size_t wcsrtombs(char *__restrict to, const wchar_t **__restrict from, size_t size, mbstate_t *__restrict state);
int mbsinit(const mbstate_t *state);
wint_t btowc(int character);
int wctob(wint_t character);
long wcstol(const wchar_t *__restrict text, wchar_t **__restrict end, int base);
unsigned long wcstoul(const wchar_t *__restrict text, wchar_t **__restrict end, int base);
double wcstod(const wchar_t *__restrict text, wchar_t **__restrict end);
int wprintf(const wchar_t *__restrict format, ...);
int fwprintf(FILE *__restrict stream, const wchar_t *__restrict format, ...);
int swprintf(wchar_t *__restrict to, size_t size, const wchar_t *__restrict format, ...);
int vswprintf(wchar_t *__restrict to, size_t size, const wchar_t *__restrict format, va_list arguments);
wint_t fgetwc(FILE *stream);
wint_t fputwc(wchar_t character, FILE *stream);
int wcwidth(wchar_t character);

#ifdef __cplusplus
}
#endif

#endif
