#ifndef FENCEPOST_UNISTD_H
#define FENCEPOST_UNISTD_H

#include <fencepost/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef __INTPTR_TYPE__ intptr_t;

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

/* Standard input is empty. Standard output and error are printed. Other descriptors are pipes and event counters. */
ssize_t read(int file, void *buffer, size_t size);
ssize_t write(int file, const void *buffer, size_t size);
int close(int file);
int pipe(int files[2]);
int pipe2(int files[2], int flags);

pid_t getpid(void);
pid_t getppid(void);
pid_t gettid(void);
long sysconf(int name);
/* Only the calls named by <sys/syscall.h>. */
long syscall(long number, ...);
int isatty(int file);

/* See <getopt.h>. */
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int count, char *const arguments[], const char *options);

__attribute__((__noreturn__)) void _exit(int status);

#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _SC_ARG_MAX 0
#define _SC_OPEN_MAX 4
#define _SC_IOV_MAX 60
#define _SC_PHYS_PAGES 85
#define _SC_AVPHYS_PAGES 86
#define _SC_HOST_NAME_MAX 180
#define _SC_LEVEL1_DCACHE_LINESIZE 190
#define _PC_PATH_MAX 4
#define _PC_PIPE_BUF 5
#define _POSIX_VERSION 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_MONOTONIC_CLOCK 0

unsigned alarm(unsigned seconds);

/* Declared only. */
extern char **environ;
pid_t fork(void);
pid_t vfork(void);
int execl(const char *path, const char *argument, ...);
int execlp(const char *file, const char *argument, ...);
int execv(const char *path, char *const arguments[]);
int execvp(const char *file, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const environment[]);
useconds_t ualarm(useconds_t first, useconds_t then);
int pause(void);
off_t lseek(int file, off_t offset, int origin);
ssize_t pread(int file, void *buffer, size_t size, off_t offset);
ssize_t pwrite(int file, const void *buffer, size_t size, off_t offset);
int dup(int file);
int dup2(int file, int other);
int dup3(int file, int other, int flags);
int access(const char *path, int mode);
int faccessat(int folder, const char *path, int mode, int flags);
int unlink(const char *path);
int unlinkat(int folder, const char *path, int flags);
int rmdir(const char *path);
int link(const char *from, const char *to);
int symlink(const char *from, const char *to);
ssize_t readlink(const char *__restrict path, char *__restrict buffer, size_t size);
int chdir(const char *path);
int fchdir(int file);
char *getcwd(char *buffer, size_t size);
int chown(const char *path, uid_t user, gid_t group);
int lchown(const char *path, uid_t user, gid_t group);
int fchown(int file, uid_t user, gid_t group);
int truncate(const char *path, off_t size);
int ftruncate(int file, off_t size);
int fsync(int file);
int fdatasync(int file);
void sync(void);
int lockf(int file, int command, off_t size);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
int setuid(uid_t user);
int setgid(gid_t group);
int seteuid(uid_t user);
int setegid(gid_t group);
pid_t getpgrp(void);
pid_t getpgid(pid_t process);
int setpgid(pid_t process, pid_t group);
pid_t setsid(void);
pid_t getsid(pid_t process);
pid_t tcgetpgrp(int file);
char *ttyname(int file);
int ttyname_r(int file, char *buffer, size_t size);
int gethostname(char *name, size_t size);
char *getlogin(void);
int getpagesize(void);
int nice(int increment);
int brk(void *address);
void *sbrk(__INTPTR_TYPE__ increment);
long pathconf(const char *path, int name);
long fpathconf(int file, int name);
int getentropy(void *buffer, size_t size);
int daemon(int keeps, int prints);

#ifdef __cplusplus
}
#endif

#endif
