#ifndef FENCEPOST_SETJMP_H
#define FENCEPOST_SETJMP_H

#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  long __words[32];
} jmp_buf[1];
typedef jmp_buf sigjmp_buf;

/* Declared only: a program that jumps gets no verdict. */
__attribute__((__returns_twice__)) int setjmp(jmp_buf buffer);
__attribute__((__returns_twice__)) int _setjmp(jmp_buf buffer);
__attribute__((__returns_twice__)) int sigsetjmp(sigjmp_buf buffer, int saves);
__attribute__((__noreturn__)) void longjmp(jmp_buf buffer, int value);
__attribute__((__noreturn__)) void _longjmp(jmp_buf buffer, int value);
__attribute__((__noreturn__)) void siglongjmp(sigjmp_buf buffer, int value);
#define setjmp(buffer) setjmp(buffer)

#ifdef __cplusplus
}
#endif

#endif
