/*
 * Futexes, as Linux has them: each call takes the lock of the word's queue. A wait compares and queues under it, so it
 * happens before or after every wake-up as a whole. Waiting and waking begin with a full barrier, as Linux promises; no
 * other platform does, so under RC11 there is none without `--futex linux`.
 */
#include <errno.h>
#include <fencepost/library.h>
#include <fencepost/wait-queue.h>
#include <linux/futex.h>
#include <stdint.h>
#include <time.h>

static int is_word(const uint32_t *word) { return (uintptr_t)word % sizeof *word == 0; }

static int load(const uint32_t *word) { return (int)__atomic_load_n(word, __ATOMIC_RELAXED); }

/* A timeout is relative for FUTEX_WAIT only. */
static int time_out(const struct timespec *timeout, int is_relative) {
  if (!is_relative) return __fencepost_time_out(timeout);
  __fencepost_sleep(*(const volatile time_t *)&timeout->tv_sec * 1000000000LL + *(const volatile long *)&timeout->tv_nsec);
  return ETIMEDOUT;
}

static int wait(uint32_t *word, int expected, const struct timespec *timeout, int is_relative, unsigned mask) {
  if (mask == 0 || !is_word(word)) return EINVAL;
  if (timeout && __fencepost_check_deadline(timeout) != 0) return EINVAL;
  struct __fencepost_queue *queue = __fencepost_queue_of(word);
  __fencepost_platform_fence();
  __fencepost_lock_queue(queue);
  int differs = load(word) != expected;
  int is_spurious = !differs && __fencepost_wakes_up();
  if (!differs && !is_spurious) __fencepost_enqueue(queue, word, mask);
  __fencepost_unlock_queue(queue);
  if (differs) return EAGAIN;
  if (is_spurious) return 0;
  if (!timeout) {
    __fencepost_await_woken();
    return 0;
  }
  /* The step may come early or late, which is all that time can affect. */
  return __fencepost_give_up_waiting() ? time_out(timeout, is_relative) : 0;
}

static int wake(uint32_t *word, int count, unsigned mask) {
  struct __fencepost_queue *queue = __fencepost_queue_of(word);
  __fencepost_platform_fence();
  __fencepost_lock_queue(queue);
  /* Linux wakes one thread even if asked for none. */
  int woken = __fencepost_wake(queue, word, count < 1 ? 1 : count, mask);
  __fencepost_unlock_queue(queue);
  return woken;
}

/* -1 if the word is not as expected. */
static int requeue(uint32_t *word, int wakes, int moves, uint32_t *to, const int *expected) {
  struct __fencepost_queue *from = __fencepost_queue_of(word), *other = __fencepost_queue_of(to);
  struct __fencepost_queue *first = from < other ? from : other, *second = from < other ? other : from;
  __fencepost_platform_fence();
  __fencepost_lock_queue(first);
  if (second != first) __fencepost_lock_queue(second);
  int is_expected = !expected || load(word) == *expected;
  int count = is_expected ? __fencepost_wake_and_move(from, word, wakes, other, to, moves) : -1;
  if (second != first) __fencepost_unlock_queue(second);
  __fencepost_unlock_queue(first);
  return count;
}

static long fail(int error) {
  errno = error;
  return -1;
}

long __fencepost_futex(va_list arguments) {
  uint32_t *word = va_arg(arguments, uint32_t *);
  int operation = va_arg(arguments, int), value = va_arg(arguments, int);
  int is_relative = 0;
  unsigned mask = FUTEX_BITSET_MATCH_ANY;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      is_relative = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT;
      const struct timespec *timeout = va_arg(arguments, const struct timespec *);
      if (!is_relative) {
        (void)va_arg(arguments, uint32_t *);
        mask = va_arg(arguments, unsigned);
      }
      int error = wait(word, value, timeout, is_relative, mask);
      return error ? fail(error) : 0;
    }
    case FUTEX_WAKE_BITSET:
      (void)va_arg(arguments, void *);
      (void)va_arg(arguments, void *);
      mask = va_arg(arguments, unsigned);
      /* fall through */
    case FUTEX_WAKE: return mask == 0 || !is_word(word) ? fail(EINVAL) : wake(word, value, mask);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE: {
      int moves = va_arg(arguments, int);
      uint32_t *to = va_arg(arguments, uint32_t *);
      int compares = (operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE;
      int expected = compares ? va_arg(arguments, int) : 0;
      if (value < 0 || moves < 0 || !is_word(word) || !is_word(to)) return fail(EINVAL);
      int count = requeue(word, value, moves, to, compares ? &expected : 0);
      return count < 0 ? fail(EAGAIN) : count;
    }
    case FUTEX_WAKE_OP: __fencepost_not_modelled("FUTEX_WAKE_OP");
    case FUTEX_FD: return fail(ENOSYS);
    case FUTEX_LOCK_PI:
    case FUTEX_UNLOCK_PI:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
    case FUTEX_CMP_REQUEUE_PI: __fencepost_not_modelled("a futex that inherits priorities");
    default: return fail(ENOSYS);
  }
}
