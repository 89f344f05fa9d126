#ifndef FENCEPOST_STDIO_H
#define FENCEPOST_STDIO_H

#include <fencepost/types.h>
#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EOF (-1)

/* Output is captured and shown with the execution; standard input is empty, at its end from the start. */
typedef struct __fencepost_file FILE;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr

__attribute__((__format__(__printf__, 1, 2))) int printf(const char *format, ...);
__attribute__((__format__(__printf__, 2, 3))) int fprintf(FILE *stream, const char *format, ...);
__attribute__((__format__(__printf__, 2, 3))) int sprintf(char *buffer, const char *format, ...);
__attribute__((__format__(__printf__, 3, 4))) int snprintf(char *buffer, size_t size, const char *format, ...);

__attribute__((__format__(__printf__, 1, 0))) int vprintf(const char *format, va_list arguments);
__attribute__((__format__(__printf__, 2, 0))) int vfprintf(FILE *stream, const char *format, va_list arguments);
__attribute__((__format__(__printf__, 2, 0))) int vsprintf(char *buffer, const char *format, va_list arguments);
__attribute__((__format__(__printf__, 3, 0))) int vsnprintf(char *buffer, size_t size, const char *format,
                                                            va_list arguments);

__attribute__((__format__(__printf__, 2, 3))) int asprintf(char **result, const char *format, ...);
__attribute__((__format__(__printf__, 2, 0))) int vasprintf(char **result, const char *format, va_list arguments);
__attribute__((__format__(__printf__, 2, 3))) int dprintf(int file, const char *format, ...);

__attribute__((__format__(__scanf__, 2, 3))) int sscanf(const char *__restrict text, const char *__restrict format,
                                                        ...);
__attribute__((__format__(__scanf__, 2, 0))) int vsscanf(const char *__restrict text, const char *__restrict format,
                                                         va_list arguments);
__attribute__((__format__(__scanf__, 1, 2))) int scanf(const char *__restrict format, ...);
__attribute__((__format__(__scanf__, 2, 3))) int fscanf(FILE *__restrict stream, const char *__restrict format, ...);
__attribute__((__format__(__scanf__, 1, 0))) int vscanf(const char *__restrict format, va_list arguments);
__attribute__((__format__(__scanf__, 2, 0))) int vfscanf(FILE *__restrict stream, const char *__restrict format,
                                                         va_list arguments);
int getchar(void);
int getc(FILE *stream);
int fgetc(FILE *stream);
char *fgets(char *__restrict buffer, int size, FILE *__restrict stream);
size_t fread(void *__restrict memory, size_t size, size_t count, FILE *__restrict stream);
int feof(FILE *stream);
void clearerr(FILE *stream);

int puts(const char *text);
int fputs(const char *text, FILE *stream);
int putchar(int character);
int putc(int character, FILE *stream);
int fputc(int character, FILE *stream);
int fflush(FILE *stream);
size_t fwrite(const void *__restrict memory, size_t size, size_t count, FILE *__restrict stream);
void perror(const char *text);
int fileno(FILE *stream);
int ferror(FILE *stream);

/* Nothing is buffered, whatever the program asks for. */
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define BUFSIZ 8192
void setbuf(FILE *__restrict stream, char *__restrict buffer);
void setlinebuf(FILE *stream);
int setvbuf(FILE *__restrict stream, char *__restrict buffer, int mode, size_t size);
/* The output of one call is never interleaved anyway. */
void flockfile(FILE *stream);
void funlockfile(FILE *stream);
int putchar_unlocked(int character);

#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define P_tmpdir "/tmp"
typedef struct {
  long __words[4];
} fpos_t;

int ungetc(int character, FILE *stream);
ssize_t getline(char **__restrict line, size_t *__restrict size, FILE *__restrict stream);
ssize_t getdelim(char **__restrict line, size_t *__restrict size, int end, FILE *__restrict stream);

/* Declared only. */
FILE *fopen(const char *__restrict path, const char *__restrict mode);
FILE *fdopen(int file, const char *mode);
FILE *freopen(const char *__restrict path, const char *__restrict mode, FILE *__restrict stream);
FILE *tmpfile(void);
FILE *popen(const char *command, const char *mode);
FILE *fmemopen(void *__restrict buffer, size_t size, const char *__restrict mode);
FILE *open_memstream(char **buffer, size_t *size);
int pclose(FILE *stream);
int fclose(FILE *stream);
int fseek(FILE *stream, long offset, int origin);
int fseeko(FILE *stream, off_t offset, int origin);
long ftell(FILE *stream);
off_t ftello(FILE *stream);
void rewind(FILE *stream);
int fgetpos(FILE *__restrict stream, fpos_t *__restrict position);
int fsetpos(FILE *stream, const fpos_t *position);
int getchar_unlocked(void);
int getc_unlocked(FILE *stream);
int putc_unlocked(int character, FILE *stream);
int fputs_unlocked(const char *text, FILE *stream);
int ftrylockfile(FILE *stream);
int remove(const char *path);
int rename(const char *from, const char *to);
char *tmpnam(char *name);
char *ctermid(char *name);
__attribute__((__format__(__printf__, 2, 0))) int vdprintf(int file, const char *format, va_list arguments);

#ifdef __cplusplus
}
#endif

#endif
