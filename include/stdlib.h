#ifndef FENCEPOST_STDLIB_H
#define FENCEPOST_STDLIB_H

#include <alloca.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 0x7fffffff
#define MB_CUR_MAX 1

typedef struct {
  int quot;
  int rem;
} div_t;
typedef struct {
  long quot;
  long rem;
} ldiv_t;
__extension__ typedef struct {
  long long quot;
  long long rem;
} lldiv_t;

/* Allocation never fails: a program that needs more than the machine has gets no verdict. */
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *pointer, size_t size);
void *reallocarray(void *pointer, size_t count, size_t size);
void *aligned_alloc(size_t align, size_t size);
int posix_memalign(void **result, size_t align, size_t size);
void free(void *pointer);

__attribute__((__noreturn__)) void exit(int status);
__attribute__((__noreturn__)) void _Exit(int status);
__attribute__((__noreturn__)) void quick_exit(int status);
__attribute__((__noreturn__)) void abort(void);
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));
/* There is no environment. */
char *getenv(const char *name);

int abs(int value);
long labs(long value);
__extension__ long long llabs(long long value);
div_t div(int dividend, int divisor);
ldiv_t ldiv(long dividend, long divisor);
__extension__ lldiv_t lldiv(long long dividend, long long divisor);

int atoi(const char *text);
long atol(const char *text);
__extension__ long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *__restrict text, char **__restrict end, int base);
unsigned long strtoul(const char *__restrict text, char **__restrict end, int base);
__extension__ long long strtoll(const char *__restrict text, char **__restrict end, int base);
__extension__ unsigned long long strtoull(const char *__restrict text, char **__restrict end, int base);
double strtod(const char *__restrict text, char **__restrict end);
float strtof(const char *__restrict text, char **__restrict end);
long double strtold(const char *__restrict text, char **__restrict end);

/* Each thread has its own sequence, so that its numbers do not depend on other threads. */
int rand(void);
void srand(unsigned seed);
int rand_r(unsigned *seed);
long random(void);
void srandom(unsigned seed);
double drand48(void);
long lrand48(void);
long mrand48(void);
void srand48(long seed);
double erand48(unsigned short state[3]);
long nrand48(unsigned short state[3]);
long jrand48(unsigned short state[3]);

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *));

/* Declared only. */
int system(const char *command);
int mkstemp(char *path);
char *mkdtemp(char *path);
char *realpath(const char *__restrict path, char *__restrict result);
char *secure_getenv(const char *name);
int setenv(const char *name, const char *value, int overwrites);
int unsetenv(const char *name);
int putenv(char *text);
int clearenv(void);
int mblen(const char *text, size_t size);
int mbtowc(wchar_t *__restrict to, const char *__restrict from, size_t size);
int wctomb(char *to, wchar_t character);
size_t mbstowcs(wchar_t *__restrict to, const char *__restrict from, size_t count);
size_t wcstombs(char *__restrict to, const wchar_t *__restrict from, size_t size);
int getloadavg(double loads[], int count);
char *initstate(unsigned seed, char *state, size_t size);
char *setstate(char *state);
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *argument);
unsigned arc4random(void);

#ifdef __cplusplus
}
#endif

#endif
