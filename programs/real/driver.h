/* What the drivers share: `run(a, b)` runs functions in threads of their own, until all have returned.
   Old C, so that a library's `-ansi` works. */
#pragma once
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

typedef void (*driver_body)(void);

static void *driver_start(void *body) {
    (*(driver_body *)body)();
    return NULL;
}

static void driver_run(driver_body *bodies, int count) {
    pthread_t threads[8];
    int i;
    for (i = 0; i < count; i++) pthread_create(&threads[i], NULL, driver_start, &bodies[i]);
    for (i = 0; i < count; i++) pthread_join(threads[i], NULL);
}

#define run(...)                                                                                  \
    do {                                                                                          \
        static driver_body driver_bodies[] = {__VA_ARGS__};                                       \
        driver_run(driver_bodies, (int)(sizeof driver_bodies / sizeof *driver_bodies));           \
    } while (0)
