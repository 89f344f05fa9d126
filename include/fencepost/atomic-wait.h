/* Waits of C++ that need a notification (lib/atomic-wait.c). */
#ifndef FENCEPOST_ATOMIC_WAIT_H
#define FENCEPOST_ATOMIC_WAIT_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a thread currently waits for or notifies; `object` is 0 if it does neither. From this, reports know what belongs
 * to the wait, and compare `bytes` bytes of the object's value (src/machine/describe/atomic-waits.ts).
 */
enum { __FENCEPOST_WAITS = 1, __FENCEPOST_NOTIFIES_ONE, __FENCEPOST_NOTIFIES_ALL };
struct __fencepost_atomic_operation {
  int object;
  int kind;
  int bytes;
  /* Whether users think of the value as a number. */
  int is_number;
};

/* Begins a wait. Returns whether it is a sleeping one. */
int __fencepost_begin_wait(const volatile void *object, int bytes, int is_number);
int __fencepost_last_notice(const volatile void *object);
void __fencepost_await_notice(const volatile void *object, unsigned long long old, int last);
void __fencepost_end_wait(void);
/* Begins a notification of one thread. Returns whether it wakes exactly one. */
int __fencepost_begin_notify_one(const volatile void *object);
void __fencepost_notify_one(const volatile void *object, unsigned long long value);
/* Completes one that wakes all. */
void __fencepost_notify(const volatile void *object);
void __fencepost_notify_all(const volatile void *object);

#ifdef __cplusplus
}
#endif

#endif
