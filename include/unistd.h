#ifndef FENCEPOST_UNISTD_H
#define FENCEPOST_UNISTD_H

#include <fencepost/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE _SC_PAGESIZE
#define _SC_CLK_TCK 2
#define _SC_THREADS 67
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84

/* See <time.h>. */
unsigned sleep(unsigned seconds);
int usleep(useconds_t microseconds);

/* Standard input is empty. */
ssize_t read(int file, void *buffer, size_t size);
/* To standard output and standard error only. */
ssize_t write(int file, const void *buffer, size_t size);

pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
long sysconf(int name);
/* The calls that <sys/syscall.h> declares. */
long syscall(long number, ...);
int isatty(int file);

/* See <getopt.h>. */
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int count, char *const arguments[], const char *options);

__attribute__((__noreturn__)) void _exit(int status);

#endif
