/* poll and ppoll as ways to sleep: nothing is known about files. */
#include <errno.h>
#include <fencepost/library.h>
#include <poll.h>
#include <time.h>

/* A negative descriptor is passed over. */
static void no_files(struct pollfd *files, nfds_t count) {
  for (nfds_t i = 0; i < count; i++) {
    if (files[i].fd >= 0) __fencepost_not_modelled("poll of a file");
    files[i].revents = 0;
  }
}

int poll(struct pollfd *files, nfds_t count, int timeout) {
  __fencepost_cancellation_point();
  if (count > 0) no_files(files, count);
  if (timeout < 0) __fencepost_not_modelled("poll that only a signal could end");
  __fencepost_sleep(timeout * 1000000LL);
  __fencepost_yield();
  return 0;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *timeout, const sigset_t *mask) {
  __fencepost_cancellation_point();
  if (count > 0) no_files(files, count);
  if (mask) __fencepost_not_modelled("ppoll with a mask of signals");
  if (!timeout) __fencepost_not_modelled("ppoll that only a signal could end");
  if (timeout->tv_sec < 0 || __fencepost_check_deadline(timeout) != 0) {
    errno = EINVAL;
    return -1;
  }
  __fencepost_sleep((long long)timeout->tv_sec * 1000000000 + timeout->tv_nsec);
  __fencepost_yield();
  return 0;
}
