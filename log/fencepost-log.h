/*
 * fencepost-log.h: records what a real program does to shared memory, for `fencepost monitor`.
 *
 * `fencepost record` needs no macros and records everything (docs/recording.md). With these macros you choose what is
 * recorded: replace the accesses you care about, and run the program with an ordinary compiler and operating system:
 *
 *   fencepost_log_open("run.log");                 before the first thread
 *   FENCEPOST_STORE(&flag, 1, relaxed);            *(&flag) = 1
 *   x = FENCEPOST_LOAD(&flag, acquire);            order: plain volatile relaxed acquire release acq_rel seq_cst
 *   old = FENCEPOST_FETCH_ADD(&n, 1, seq_cst);     also FENCEPOST_EXCHANGE
 *   ok = FENCEPOST_COMPARE_EXCHANGE(&head, &expected, wanted, acq_rel);
 *   FENCEPOST_FENCE(seq_cst);
 *   FENCEPOST_LOCK(&mutex);  FENCEPOST_UNLOCK(&mutex);        pthread mutexes
 *   if (FENCEPOST_TRYLOCK(&mutex) == 0) …                     pthread_mutex_trylock
 *   FENCEPOST_WAIT(&condition, &mutex);                       also FENCEPOST_TIMEDWAIT(&condition, &mutex, &time)
 *   FENCEPOST_SIGNAL(&condition);  FENCEPOST_BROADCAST(&condition);
 *   FENCEPOST_RDLOCK(&rwlock);  FENCEPOST_WRLOCK(&rwlock);    also FENCEPOST_TRYRDLOCK, FENCEPOST_TRYWRLOCK
 *   FENCEPOST_RWUNLOCK(&rwlock);
 *   FENCEPOST_SEM_WAIT(&semaphore);                           also FENCEPOST_SEM_TRYWAIT
 *   FENCEPOST_SEM_POST(&semaphore);
 *   FENCEPOST_CREATE(&thread, attributes, start, argument);   pthread_create
 *   FENCEPOST_JOIN(thread, &result);                          pthread_join
 *   FENCEPOST_FREE(pointer, size);                            free
 *   fencepost_log_close();
 *
 * One lock is held around each access and its record, so what is recorded is a sequentially consistent execution. Link
 * with -pthread; needs GNU C or C++ (GCC or clang). One file that includes this defines FENCEPOST_LOG_IMPLEMENTATION
 * before it. Objects may be plain, volatile, _Atomic or std::atomic, of up to 8 bytes; `expected` points to the plain
 * type. At most 65,534 threads are recorded; any further ones run unrecorded. Record all threads and all uses of a
 * mutex, or none: open the log before the first lock. For a block of more than 4 GiB, the log frees the first 4 GiB. A
 * failed attempt to take a lock is recorded as an event that waits for the thread's stores and touches nothing.
 */
#ifndef FENCEPOST_LOG_H
#define FENCEPOST_LOG_H

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#ifdef __cplusplus
#include <atomic>

/* The type that a pointer points to, as a plain type. Never called. */
template <class T> T fencepost_log_value(const volatile T *);
template <class T> T fencepost_log_value(const volatile std::atomic<T> *);
#define FENCEPOST_LOG_TYPE(pointer) __typeof__(fencepost_log_value(pointer))

extern "C" {
#else
/* Drops _Atomic: the type of a value has none. */
#define FENCEPOST_LOG_TYPE(pointer) __typeof__(((void)0, *(pointer)))
#endif

enum fencepost_log_operation {
  FENCEPOST_LOG_LOAD = 1,
  FENCEPOST_LOG_STORE = 2,
  FENCEPOST_LOG_RMW = 4,
  FENCEPOST_LOG_FENCE = 5,
  FENCEPOST_LOG_SPAWN = 7,
  FENCEPOST_LOG_JOIN = 8,
  FENCEPOST_LOG_LOCK = 9,
  FENCEPOST_LOG_UNLOCK = 11,
  FENCEPOST_LOG_WAIT = 12,
  FENCEPOST_LOG_SIGNAL = 13,
  FENCEPOST_LOG_BROADCAST = 14,
  FENCEPOST_LOG_FREE = 15,
  FENCEPOST_LOG_WAKE = 19
};

enum fencepost_log_order {
  fencepost_log_plain,
  fencepost_log_volatile,
  fencepost_log_relaxed,
  fencepost_log_acquire,
  fencepost_log_release,
  fencepost_log_acq_rel,
  fencepost_log_seq_cst
};

/* Returns 0, or -1 with errno if the file cannot be written. */
int fencepost_log_open(const char *path);
/* Returns 0, or -1 if anything could not be written. */
int fencepost_log_close(void);

void fencepost_log_enter(void);
/* Records one event at a place in the source; other threads then continue. `site` is the place's static variable. */
void fencepost_log_leave(int operation, int order, int wrote, const volatile void *address, unsigned size, unsigned other,
                         uint32_t *site, const char *file, int line);
int fencepost_log_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument,
                         uint32_t *site, const char *file, int line);
int fencepost_log_join(pthread_t thread, void **result, uint32_t *site, const char *file, int line);
/* `time` is NULL for ever. */
int fencepost_log_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time, uint32_t *site,
                       const char *file, int line);
int fencepost_log_wake(int operation, pthread_cond_t *condition, uint32_t *site, const char *file, int line);
/* Records and returns the result of a function that locks a mutex or takes something else. */
int fencepost_log_locked(int error, pthread_mutex_t *mutex, uint32_t *site, const char *file, int line);
int fencepost_log_taken(int error, const void *object, uint32_t *site, const char *file, int line);
/* Something other than a mutex is about to be released. */
void fencepost_log_given_up(const void *object, uint32_t *site, const char *file, int line);
#ifdef __cplusplus
}
#endif

/* The size, at most what a record can hold. */
static inline unsigned fencepost_log_size(size_t size) { return size < UINT32_MAX ? (unsigned)size : UINT32_MAX; }

#define FENCEPOST_LOG_NOBODY 0xffffu
#define FENCEPOST_LOG_EVENT(operation, order, wrote, address, size)                                                   \
  do {                                                                                                                 \
    static uint32_t fencepost_site;                                                                                    \
    fencepost_log_leave(operation, fencepost_log_##order, wrote, address, size, FENCEPOST_LOG_NOBODY, &fencepost_site, \
                        __FILE__, __LINE__);                                                                           \
  } while (0)

#define FENCEPOST_LOG_PLAIN(pointer) ((volatile FENCEPOST_LOG_TYPE(pointer) *)(pointer))

#define FENCEPOST_STORE(pointer, value, order)                                            \
  do {                                                                                    \
    FENCEPOST_LOG_TYPE(pointer) fencepost_value = (value);                                 \
    fencepost_log_enter();                                                                \
    __atomic_store_n(FENCEPOST_LOG_PLAIN(pointer), fencepost_value, __ATOMIC_SEQ_CST);                       \
    FENCEPOST_LOG_EVENT(FENCEPOST_LOG_STORE, order, 1, (pointer), sizeof *(pointer));     \
  } while (0)

#define FENCEPOST_LOAD(pointer, order)                                                    \
  (__extension__({                                                                        \
    fencepost_log_enter();                                                                \
    FENCEPOST_LOG_TYPE(pointer) fencepost_value = __atomic_load_n(FENCEPOST_LOG_PLAIN(pointer), __ATOMIC_SEQ_CST); \
    FENCEPOST_LOG_EVENT(FENCEPOST_LOG_LOAD, order, 0, (pointer), sizeof *(pointer));      \
    fencepost_value;                                                                      \
  }))

#define FENCEPOST_LOG_RMW_WITH(builtin, pointer, value, order)                            \
  (__extension__({                                                                        \
    FENCEPOST_LOG_TYPE(pointer) fencepost_operand = (value);                               \
    fencepost_log_enter();                                                                \
    FENCEPOST_LOG_TYPE(pointer) fencepost_value = builtin(FENCEPOST_LOG_PLAIN(pointer), fencepost_operand, __ATOMIC_SEQ_CST); \
    FENCEPOST_LOG_EVENT(FENCEPOST_LOG_RMW, order, 1, (pointer), sizeof *(pointer));       \
    fencepost_value;                                                                      \
  }))
#define FENCEPOST_FETCH_ADD(pointer, value, order) FENCEPOST_LOG_RMW_WITH(__atomic_fetch_add, pointer, value, order)
#define FENCEPOST_EXCHANGE(pointer, value, order) FENCEPOST_LOG_RMW_WITH(__atomic_exchange_n, pointer, value, order)

#define FENCEPOST_COMPARE_EXCHANGE(pointer, expected, desired, order)                     \
  (__extension__({                                                                        \
    FENCEPOST_LOG_TYPE(pointer) fencepost_desired = (desired);                             \
    fencepost_log_enter();                                                                \
    int fencepost_done = __atomic_compare_exchange_n(FENCEPOST_LOG_PLAIN(pointer), (expected), fencepost_desired, 0, __ATOMIC_SEQ_CST, \
                                                     __ATOMIC_SEQ_CST);                   \
    FENCEPOST_LOG_EVENT(FENCEPOST_LOG_RMW, order, fencepost_done, (pointer), sizeof *(pointer)); \
    fencepost_done;                                                                       \
  }))

#define FENCEPOST_FENCE(order)                                     \
  do {                                                             \
    fencepost_log_enter();                                         \
    FENCEPOST_LOG_EVENT(FENCEPOST_LOG_FENCE, order, 0, 0, 0);      \
  } while (0)

/* A call of one of the functions above, with the place after its other arguments. */
#define FENCEPOST_LOG_CALL(function, ...)                                    \
  (__extension__({                                                           \
    static uint32_t fencepost_site;                                          \
    function(__VA_ARGS__, &fencepost_site, __FILE__, __LINE__);              \
  }))

/* Recorded while the mutex is held, so that the log has the order in which it was locked. */
#define FENCEPOST_LOCK(mutex) FENCEPOST_LOG_CALL(fencepost_log_locked, pthread_mutex_lock(mutex), (mutex))
#define FENCEPOST_TRYLOCK(mutex) FENCEPOST_LOG_CALL(fencepost_log_locked, pthread_mutex_trylock(mutex), (mutex))
#define FENCEPOST_UNLOCK(mutex)                                      \
  do {                                                               \
    fencepost_log_enter();                                           \
    FENCEPOST_LOG_EVENT(FENCEPOST_LOG_UNLOCK, plain, 0, (mutex), 0); \
    pthread_mutex_unlock(mutex);                                     \
  } while (0)

#define FENCEPOST_WAIT(condition, mutex) FENCEPOST_LOG_CALL(fencepost_log_wait, (condition), (mutex), NULL)
#define FENCEPOST_TIMEDWAIT(condition, mutex, time) FENCEPOST_LOG_CALL(fencepost_log_wait, (condition), (mutex), (time))
#define FENCEPOST_SIGNAL(condition) FENCEPOST_LOG_CALL(fencepost_log_wake, FENCEPOST_LOG_SIGNAL, (condition))
#define FENCEPOST_BROADCAST(condition) FENCEPOST_LOG_CALL(fencepost_log_wake, FENCEPOST_LOG_BROADCAST, (condition))

#define FENCEPOST_RDLOCK(lock) FENCEPOST_LOG_CALL(fencepost_log_taken, pthread_rwlock_rdlock(lock), (lock))
#define FENCEPOST_WRLOCK(lock) FENCEPOST_LOG_CALL(fencepost_log_taken, pthread_rwlock_wrlock(lock), (lock))
#define FENCEPOST_TRYRDLOCK(lock) FENCEPOST_LOG_CALL(fencepost_log_taken, pthread_rwlock_tryrdlock(lock), (lock))
#define FENCEPOST_TRYWRLOCK(lock) FENCEPOST_LOG_CALL(fencepost_log_taken, pthread_rwlock_trywrlock(lock), (lock))
#define FENCEPOST_RWUNLOCK(lock)                              \
  do {                                                        \
    FENCEPOST_LOG_CALL(fencepost_log_given_up, (lock));       \
    pthread_rwlock_unlock(lock);                              \
  } while (0)

#define FENCEPOST_SEM_WAIT(semaphore) FENCEPOST_LOG_CALL(fencepost_log_taken, sem_wait(semaphore), (semaphore))
#define FENCEPOST_SEM_TRYWAIT(semaphore) FENCEPOST_LOG_CALL(fencepost_log_taken, sem_trywait(semaphore), (semaphore))
#define FENCEPOST_SEM_POST(semaphore)                         \
  do {                                                        \
    FENCEPOST_LOG_CALL(fencepost_log_given_up, (semaphore));  \
    sem_post(semaphore);                                      \
  } while (0)

#define FENCEPOST_FREE(pointer, size)                                     \
  do {                                                                    \
    void *fencepost_block = (pointer);                                    \
    fencepost_log_enter();                                                \
    FENCEPOST_LOG_EVENT(FENCEPOST_LOG_FREE, plain, 1, fencepost_block, fencepost_log_size(size)); \
    free(fencepost_block);                                                \
  } while (0)

#define FENCEPOST_CREATE(thread, attributes, start, argument)                                        \
  (__extension__({                                                                                   \
    static uint32_t fencepost_site;                                                                  \
    fencepost_log_create((thread), (attributes), (start), (argument), &fencepost_site, __FILE__, __LINE__); \
  }))
#define FENCEPOST_JOIN(thread, result)                                                               \
  (__extension__({                                                                                   \
    static uint32_t fencepost_site;                                                                  \
    fencepost_log_join((thread), (result), &fencepost_site, __FILE__, __LINE__);                     \
  }))

#ifdef FENCEPOST_LOG_IMPLEMENTATION

#include <stdio.h>
#include <string.h>

/* A record of the compact form, docs/monitor.md; all machines that this runs on are little-endian. */
struct fencepost_log_record {
  uint8_t operation, order, flags, predicate;
  uint16_t thread, other;
  uint32_t site, size;
  uint64_t address, value;
};

static pthread_mutex_t fencepost_log_mutex = PTHREAD_MUTEX_INITIALIZER;
static FILE *fencepost_log_file;
static uint32_t fencepost_log_sites;
static unsigned fencepost_log_threads = 1;
static __thread unsigned fencepost_log_self; /* the thread that opened the log is 0 */

struct fencepost_log_start {
  void *(*start)(void *);
  void *argument;
  unsigned thread;
};

/* Maps pthreads to the log's threads; the places of joined threads are reused. */
static struct fencepost_log_known {
  pthread_t thread;
  unsigned number;
  int is_used;
} *fencepost_log_known;
static unsigned fencepost_log_places;

/* A place for one more, called with the lock held; NULL if out of memory. */
static struct fencepost_log_known *fencepost_log_place(void) {
  unsigned i = 0;
  while (i < fencepost_log_places && fencepost_log_known[i].is_used) i++;
  if (i == fencepost_log_places) {
    unsigned places = i ? 2 * i : 64;
    struct fencepost_log_known *more = (struct fencepost_log_known *)realloc(fencepost_log_known, places * sizeof *more);
    if (!more) return 0;
    memset(more + i, 0, (places - i) * sizeof *more);
    fencepost_log_known = more;
    fencepost_log_places = places;
  }
  return &fencepost_log_known[i];
}

static void fencepost_log_write(const void *bytes, size_t length) {
  if (fencepost_log_file) fwrite(bytes, 1, length, fencepost_log_file);
}

int fencepost_log_open(const char *path) {
  static const unsigned char header[16] = {'F', 'P', 'L', 'O', 'G', 0, 1, 0};
  fencepost_log_file = fopen(path, "wb");
  if (!fencepost_log_file) return -1;
  fencepost_log_write(header, sizeof header);
  return 0;
}

int fencepost_log_close(void) {
  pthread_mutex_lock(&fencepost_log_mutex);
  FILE *file = fencepost_log_file;
  fencepost_log_file = 0;
  pthread_mutex_unlock(&fencepost_log_mutex);
  if (!file) return -1;
  int failed = ferror(file);
  return fclose(file) || failed ? -1 : 0;
}

void fencepost_log_enter(void) { pthread_mutex_lock(&fencepost_log_mutex); }

static void fencepost_log_name_site(uint32_t *site, const char *file, int line) {
  char text[512];
  struct fencepost_log_record record;
  memset(text, 0, sizeof text);
  memset(&record, 0, sizeof record);
  *site = ++fencepost_log_sites;
  snprintf(text, sizeof text, "%s:%d", file, line);
  record.operation = 0xf0;
  record.site = *site;
  record.size = (uint32_t)strlen(text);
  fencepost_log_write(&record, sizeof record);
  fencepost_log_write(text, (record.size + 31) / 32 * 32);
}

/* Called with the lock held. */
static void fencepost_log_put(int operation, int order, int flags, const volatile void *address, unsigned size,
                              unsigned other, const void *value, uint32_t *site, const char *file, int line) {
  struct fencepost_log_record record;
  if (fencepost_log_file && fencepost_log_self != FENCEPOST_LOG_NOBODY) {
    if (!*site) fencepost_log_name_site(site, file, line);
    memset(&record, 0, sizeof record);
    record.operation = (uint8_t)operation;
    record.order = (uint8_t)order;
    record.flags = (uint8_t)flags;
    record.thread = (uint16_t)fencepost_log_self;
    record.other = (uint16_t)other;
    record.site = *site;
    record.size = size;
    record.address = (uint64_t)(uintptr_t)address;
    record.value = (uint64_t)(uintptr_t)value;
    fencepost_log_write(&record, sizeof record);
  }
}

void fencepost_log_leave(int operation, int order, int wrote, const volatile void *address, unsigned size, unsigned other,
                         uint32_t *site, const char *file, int line) {
  fencepost_log_put(operation, order, wrote ? 3 : 2, address, size, other, 0, site, file, line);
  pthread_mutex_unlock(&fencepost_log_mutex);
}

/* A failed attempt: an atomic operation that does not write, on something that is never written. */
static void fencepost_log_failed(uint32_t *site, const char *file, int line) {
  fencepost_log_enter();
  fencepost_log_leave(FENCEPOST_LOG_RMW, fencepost_log_acquire, 0, site, 4, FENCEPOST_LOG_NOBODY, site, file, line);
}

int fencepost_log_locked(int error, pthread_mutex_t *mutex, uint32_t *site, const char *file, int line) {
  if (error && error != EOWNERDEAD) {
    fencepost_log_failed(site, file, line);
    return error;
  }
  fencepost_log_enter();
  fencepost_log_leave(FENCEPOST_LOG_LOCK, fencepost_log_plain, 0, mutex, 0, FENCEPOST_LOG_NOBODY, site, file, line);
  return error;
}

int fencepost_log_taken(int error, const void *object, uint32_t *site, const char *file, int line) {
  if (error) {
    fencepost_log_failed(site, file, line);
    return error;
  }
  fencepost_log_enter();
  fencepost_log_leave(FENCEPOST_LOG_RMW, fencepost_log_acquire, 1, object, 4, FENCEPOST_LOG_NOBODY, site, file, line);
  return error;
}

void fencepost_log_given_up(const void *object, uint32_t *site, const char *file, int line) {
  fencepost_log_enter();
  fencepost_log_leave(FENCEPOST_LOG_RMW, fencepost_log_release, 1, object, 4, FENCEPOST_LOG_NOBODY, site, file, line);
}

/* Recorded before the wait, while the mutex is held; it ends with a lock, preceded by a wake if no thread woke it. */
int fencepost_log_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time, uint32_t *site,
                       const char *file, int line) {
  fencepost_log_enter();
  fencepost_log_put(FENCEPOST_LOG_WAIT, fencepost_log_plain, 0, condition, 0, FENCEPOST_LOG_NOBODY, mutex, site, file, line);
  pthread_mutex_unlock(&fencepost_log_mutex);
  int error = time ? pthread_cond_timedwait(condition, mutex, time) : pthread_cond_wait(condition, mutex);
  fencepost_log_enter();
  if (error) fencepost_log_put(FENCEPOST_LOG_WAKE, fencepost_log_plain, 2, condition, 0, FENCEPOST_LOG_NOBODY, 0, site, file, line);
  fencepost_log_leave(FENCEPOST_LOG_LOCK, fencepost_log_plain, 0, mutex, 0, FENCEPOST_LOG_NOBODY, site, file, line);
  return error;
}

/* It is not known which thread it wakes. */
int fencepost_log_wake(int operation, pthread_cond_t *condition, uint32_t *site, const char *file, int line) {
  fencepost_log_enter();
  fencepost_log_put(operation, fencepost_log_plain, 0, condition, 0, FENCEPOST_LOG_NOBODY, 0, site, file, line);
  int error = operation == FENCEPOST_LOG_SIGNAL ? pthread_cond_signal(condition) : pthread_cond_broadcast(condition);
  pthread_mutex_unlock(&fencepost_log_mutex);
  return error;
}

static void *fencepost_log_run(void *argument) {
  struct fencepost_log_start start = *(struct fencepost_log_start *)argument;
  free(argument);
  fencepost_log_self = start.thread;
  return start.start(start.argument);
}

int fencepost_log_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument,
                         uint32_t *site, const char *file, int line) {
  struct fencepost_log_start *copy = (struct fencepost_log_start *)malloc(sizeof *copy);
  if (!copy) return ENOMEM;
  fencepost_log_enter();
  /* Without a free number, the thread is not recorded. */
  unsigned number = fencepost_log_threads < FENCEPOST_LOG_NOBODY ? fencepost_log_threads++ : FENCEPOST_LOG_NOBODY;
  copy->start = start;
  copy->argument = argument;
  copy->thread = number;
  /* The record comes first: the new thread needs the lock for its own records. */
  struct fencepost_log_known *place = fencepost_log_place();
  int failed = place ? pthread_create(thread, attributes, fencepost_log_run, copy) : ENOMEM;
  if (failed) {
    pthread_mutex_unlock(&fencepost_log_mutex);
    free(copy);
    return failed;
  }
  place->thread = *thread;
  place->number = number;
  place->is_used = 1;
  fencepost_log_leave(FENCEPOST_LOG_SPAWN, 0, 0, 0, 0, number, site, file, line);
  return 0;
}

int fencepost_log_join(pthread_t thread, void **result, uint32_t *site, const char *file, int line) {
  /* Looked up before it ends, since then another thread may get its name; it is the last one with that name. */
  fencepost_log_enter();
  unsigned place = fencepost_log_places;
  for (unsigned i = 0; i < fencepost_log_places; i++) {
    if (!fencepost_log_known[i].is_used || !pthread_equal(fencepost_log_known[i].thread, thread)) continue;
    if (place == fencepost_log_places || fencepost_log_known[i].number > fencepost_log_known[place].number) place = i;
  }
  int is_known = place < fencepost_log_places;
  pthread_mutex_unlock(&fencepost_log_mutex);
  int failed = pthread_join(thread, result);
  if (failed) return failed;
  fencepost_log_enter();
  unsigned number = FENCEPOST_LOG_NOBODY;
  if (is_known) {
    number = fencepost_log_known[place].number;
    fencepost_log_known[place].is_used = 0;
  }
  fencepost_log_leave(FENCEPOST_LOG_JOIN, 0, 0, 0, 0, number, site, file, line);
  return 0;
}

#endif
#endif
