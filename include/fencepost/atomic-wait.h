/* Waits of C++ that need a notification (lib/atomic-wait.c). */
#ifndef FENCEPOST_ATOMIC_WAIT_H
#define FENCEPOST_ATOMIC_WAIT_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a thread waits for or notifies, while it does; `object` is 0 if it does neither. Reports tell by it what belongs to the wait, and compare
 * that many bytes of what the object holds (src/machine/describe/atomic-waits.ts).
 */
enum { __FENCEPOST_WAITS = 1, __FENCEPOST_NOTIFIES_ONE, __FENCEPOST_NOTIFIES_ALL };
struct __fencepost_atomic_operation {
  int object;
  int kind;
  int bytes;
  /* People know the value as a number. */
  int is_number;
};

/* A wait begins. Whether it is a sleeping one. */
int __fencepost_begin_wait(const volatile void *object, int bytes, int is_number);
int __fencepost_last_notice(const volatile void *object);
void __fencepost_await_notice(const volatile void *object, unsigned long long old, int last);
void __fencepost_end_wait(void);
/* A notification of one thread begins. Whether it wakes exactly one. */
int __fencepost_begin_notify_one(const volatile void *object);
void __fencepost_notify_one(const volatile void *object, unsigned long long value);
/* The end of one that wakes all. */
void __fencepost_notify(const volatile void *object);
void __fencepost_notify_all(const volatile void *object);

#ifdef __cplusplus
}
#endif

#endif
