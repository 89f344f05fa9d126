/* Waits of C++ that need a notification (lib/atomic-wait.c). */
#ifndef FENCEPOST_ATOMIC_WAIT_H
#define FENCEPOST_ATOMIC_WAIT_H

#ifdef __cplusplus
extern "C" {
#endif

int __fencepost_sleeps(void);
int __fencepost_last_notice(const volatile void *object);
void __fencepost_await_notice(const volatile void *object, unsigned long long old, int last);
int __fencepost_wakes_one(void);
void __fencepost_notify_one(const volatile void *object, unsigned long long value);
void __fencepost_notify_all(const volatile void *object);

#ifdef __cplusplus
}
#endif

#endif
