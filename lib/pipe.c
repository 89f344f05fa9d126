/*
 * Pipes and event counters, as far as threads wait for one another with them. Descriptors are places in a table; taking
 * a free one is a step. Each file has its own lock, and threads that must wait do so at its condition variable.
 */
#include <errno.h>
#include <fcntl.h>
#include <fencepost/library.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { FIRST = 3, FILES = 64, ROOM = 65536, AT_ONCE = 4096 };
enum { FREE, TAKEN, READS, WRITES, COUNTS };

/* Aligned on 32-bit machines, too. */
typedef uint64_t number __attribute__((__aligned__(8)));

struct file {
  int lock, changed;
  /* Of a pipe: open ends, position of the first byte, number of bytes. */
  int readers, writers, first, used;
  /* Of an event counter. */
  number count;
  int is_semaphore;
  char *bytes;
};

struct place {
  int kind, does_not_wait;
  struct file *file;
};
static struct place places[FILES];

#define get(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define put(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)

static int fail(int error) {
  errno = error;
  return -1;
}

static int open_place(struct file *file, int kind, int flags) {
  for (int i = 0; i < FILES; i++) {
    if (__fencepost_try_eq_xchg_acquire(&places[i].kind, FREE, TAKEN) != FREE) continue;
    put(places[i].file, file);
    put(places[i].does_not_wait, (flags & O_NONBLOCK) != 0);
    __atomic_store_n(&places[i].kind, kind, __ATOMIC_RELEASE);
    return FIRST + i;
  }
  return fail(EMFILE);
}

/* Null if the descriptor is not open for this. */
static struct place *find(int descriptor, int kind) {
  if (descriptor < FIRST || descriptor >= FIRST + FILES) return 0;
  struct place *place = &places[descriptor - FIRST];
  int found = __atomic_load_n(&place->kind, __ATOMIC_ACQUIRE);
  return found == kind || found == COUNTS ? place : 0;
}

int pipe2(int files[2], int flags) {
  if (flags & ~(O_NONBLOCK | O_CLOEXEC)) {
    if (flags & O_DIRECT) __fencepost_not_modelled("a pipe with O_DIRECT");
    return fail(EINVAL);
  }
  struct file *file = __fencepost_keep(sizeof *file);
  __fencepost_poke_pointer(&file->bytes, __fencepost_keep(ROOM));
  __fencepost_poke(&file->readers, 1);
  __fencepost_poke(&file->writers, 1);
  int reads = open_place(file, READS, flags);
  if (reads < 0) return -1;
  int writes = open_place(file, WRITES, flags);
  if (writes < 0) {
    put(places[reads - FIRST].kind, FREE);
    return -1;
  }
  files[0] = reads;
  files[1] = writes;
  return 0;
}

int pipe(int files[2]) { return pipe2(files, 0); }

int eventfd(unsigned initial, int flags) {
  if (flags & ~(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC)) return fail(EINVAL);
  struct file *file = __fencepost_keep(sizeof *file);
  __fencepost_poke(&file->count, (int)initial);
  __fencepost_poke(&file->is_semaphore, (flags & EFD_SEMAPHORE) != 0);
  return open_place(file, COUNTS, flags);
}

/* Whether reading and writing would not wait. */
static int can_read(struct file *file, int kind) {
  return kind == COUNTS ? get(file->count) != 0 : get(file->used) != 0 || get(file->writers) == 0;
}

static int can_write(struct file *file, int kind, size_t size, uint64_t value) {
  if (kind == COUNTS) return value <= UINT64_MAX - 1 - get(file->count);
  size_t wanted = size <= AT_ONCE ? size : 1;
  return (size_t)(ROOM - get(file->used)) >= wanted || get(file->readers) == 0;
}

/*
 * Locks the file when it can be read, or written; fails if the descriptor does not wait. A thread that can be cancelled
 * looks without the lock, so that a waiting loop only looks.
 */
#define lock_when(can, place)                                   \
  for (__fencepost_lock(&file->lock); !(can);) {                \
    if (get((place)->does_not_wait)) {                          \
      __fencepost_unlock(&file->lock);                          \
      return fail(EAGAIN);                                      \
    }                                                           \
    if (!__fencepost_is_cancelled) {                            \
      __fencepost_wait(&file->changed, &file->lock);            \
      continue;                                                 \
    }                                                           \
    __fencepost_unlock(&file->lock);                            \
    while (!(can)) __fencepost_cancellation_point();            \
    __fencepost_lock(&file->lock);                              \
  }

static void change(struct file *file) {
  __fencepost_broadcast(&file->changed);
  __fencepost_unlock(&file->lock);
}

/* As many bytes as one access can copy: the program's are plain accesses of the calling thread. */
static size_t piece(int at, size_t left) {
  size_t fits = (size_t)(ROOM - at);
  return left >= 8 && fits >= 8 ? 8 : left >= 4 && fits >= 4 ? 4 : 1;
}

static void copy_in(char *to, const char *from, size_t size) {
  if (size == 8) put(*(number *)to, *(const uint64_t *)from);
  else if (size == 4) put(*(uint32_t *)to, *(const uint32_t *)from);
  else put(*to, *from);
}

static void copy_out(char *to, const char *from, size_t size) {
  if (size == 8) *(uint64_t *)to = get(*(const number *)from);
  else if (size == 4) *(uint32_t *)to = get(*(const uint32_t *)from);
  else *to = get(*from);
}

static ssize_t read_count(struct file *file, struct place *place, void *buffer) {
  lock_when(can_read(file, COUNTS), place);
  uint64_t count = get(file->count), result = __fencepost_glance(&file->is_semaphore) ? 1 : count;
  put(file->count, count - result);
  change(file);
  *(uint64_t *)buffer = result;
  return sizeof result;
}

ssize_t __fencepost_read_file(int descriptor, void *buffer, size_t size) {
  struct place *place = find(descriptor, READS);
  if (!place) return fail(EBADF);
  int kind = get(place->kind);
  struct file *file = get(place->file);
  if (kind == COUNTS) return size < sizeof(uint64_t) ? fail(EINVAL) : read_count(file, place, buffer);
  if (size == 0) return 0;
  lock_when(can_read(file, READS), place);
  int at = get(file->first), used = get(file->used);
  size_t count = size < (size_t)used ? size : (size_t)used;
  char *bytes = __fencepost_glance_pointer(&file->bytes);
  for (size_t done = 0, next; done < count; done += next, at = (at + (int)next) % ROOM) {
    next = piece(at, count - done);
    copy_out((char *)buffer + done, bytes + at, next);
  }
  put(file->first, at);
  put(file->used, used - (int)count);
  change(file);
  return (ssize_t)count;
}

static ssize_t write_count(struct file *file, struct place *place, uint64_t value) {
  if (value == UINT64_MAX) return fail(EINVAL);
  lock_when(can_write(file, COUNTS, 0, value), place);
  put(file->count, get(file->count) + value);
  change(file);
  return sizeof value;
}

/* Up to `size` bytes; all of them, if they are few. */
static ssize_t write_some(struct file *file, struct place *place, const char *buffer, size_t size) {
  lock_when(can_write(file, WRITES, size, 0), place);
  if (get(file->readers) == 0) {
    __fencepost_unlock(&file->lock);
    raise(SIGPIPE);
    return fail(EPIPE);
  }
  int used = get(file->used), at = (get(file->first) + used) % ROOM;
  size_t room = (size_t)(ROOM - used), count = size < room ? size : room;
  char *bytes = __fencepost_glance_pointer(&file->bytes);
  for (size_t done = 0, next; done < count; done += next, at = (at + (int)next) % ROOM) {
    next = piece(at, count - done);
    copy_in(bytes + at, buffer + done, next);
  }
  put(file->used, used + (int)count);
  change(file);
  return (ssize_t)count;
}

ssize_t __fencepost_write_file(int descriptor, const void *buffer, size_t size) {
  struct place *place = find(descriptor, WRITES);
  if (!place) return fail(EBADF);
  int kind = get(place->kind);
  struct file *file = get(place->file);
  if (kind == COUNTS) return size < sizeof(uint64_t) ? fail(EINVAL) : write_count(file, place, *(const uint64_t *)buffer);
  size_t done = 0;
  while (done < size) {
    ssize_t count = write_some(file, place, (const char *)buffer + done, size - done);
    if (count < 0) return done == 0 ? -1 : (ssize_t)done;
    done += (size_t)count;
  }
  return (ssize_t)done;
}

int __fencepost_close_file(int descriptor) {
  if (descriptor < FIRST || descriptor >= FIRST + FILES) return fail(EBADF);
  struct place *place = &places[descriptor - FIRST];
  struct file *file = get(place->file);
  int kind = __atomic_load_n(&place->kind, __ATOMIC_ACQUIRE);
  if (kind == FREE || kind == TAKEN || __fencepost_try_eq_xchg_acquire(&place->kind, kind, FREE) != kind) return fail(EBADF);
  if (kind == COUNTS) return 0;
  __fencepost_lock(&file->lock);
  if (kind == READS) put(file->readers, 0);
  else put(file->writers, 0);
  change(file);
  return 0;
}

int eventfd_read(int file, eventfd_t *value) { return read(file, value, sizeof *value) == sizeof *value ? 0 : -1; }

int eventfd_write(int file, eventfd_t value) { return write(file, &value, sizeof value) == sizeof value ? 0 : -1; }
