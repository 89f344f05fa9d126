/* The less common half of <string.h>, and <strings.h>. */
#include <ctype.h>
#include <errno.h>
#include <fencepost/machine.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

size_t strnlen(const char *text, size_t size) {
  size_t length = 0;
  while (length < size && text[length]) length++;
  return length;
}

char *stpcpy(char *__restrict to, const char *__restrict from) {
  while ((*to = *from++)) to++;
  return to;
}

/* In one pass over each candidate, so that nothing is read twice unnecessarily. */
char *strstr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (;; text++) {
    if (strncmp(text, part, length) == 0) return (char *)text;
    if (*text == 0) return NULL;
  }
}

static int contains(const char *set, char character) {
  for (; *set; set++) {
    if (*set == character) return 1;
  }
  return 0;
}

size_t strspn(const char *text, const char *accept) {
  size_t length = 0;
  for (char c; (c = text[length]) != 0 && contains(accept, c);) length++;
  return length;
}

size_t strcspn(const char *text, const char *reject) {
  size_t length = 0;
  for (char c; (c = text[length]) != 0 && !contains(reject, c);) length++;
  return length;
}

char *strpbrk(const char *text, const char *accept) {
  text += strcspn(text, accept);
  return *text ? (char *)text : NULL;
}

char *strtok_r(char *__restrict text, const char *__restrict separators, char **__restrict rest) {
  if (!text) text = *rest;
  text += strspn(text, separators);
  if (*text == 0) {
    *rest = text;
    return NULL;
  }
  char *end = text + strcspn(text, separators);
  if (*end) *end++ = 0;
  *rest = end;
  return text;
}

char *strtok(char *__restrict text, const char *__restrict separators) {
  static __thread char *rest;
  return strtok_r(text, separators, &rest);
}

char *strndup(const char *text, size_t size) {
  size_t length = strnlen(text, size);
  char *copy = malloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  return memcpy(malloc(size), text, size);
}

int strcasecmp(const char *left, const char *right) { return strncasecmp(left, right, (size_t)-1); }

int strncasecmp(const char *left, const char *right, size_t size) {
  for (; size > 0; size--, left++, right++) {
    int a = tolower((unsigned char)*left), b = tolower((unsigned char)*right);
    if (a != b || a == 0) return a - b;
  }
  return 0;
}

void bzero(void *memory, size_t size) { memset(memory, 0, size); }

void bcopy(const void *from, void *to, size_t size) { memmove(to, from, size); }

int bcmp(const void *left, const void *right, size_t size) { return memcmp(left, right, size); }

int ffs(int value) { return value == 0 ? 0 : __builtin_ctz((unsigned)value) + 1; }

static const struct {
  int error;
  const char *text;
} messages[] = {
    {0, "Success"},
    {EPERM, "Operation not permitted"},
    {ENOENT, "No such file or directory"},
    {ESRCH, "No such process"},
    {EINTR, "Interrupted system call"},
    {EIO, "Input/output error"},
    {E2BIG, "Argument list too long"},
    {EBADF, "Bad file descriptor"},
    {ECHILD, "No child processes"},
    {EAGAIN, "Resource temporarily unavailable"},
    {ENOMEM, "Cannot allocate memory"},
    {EACCES, "Permission denied"},
    {EFAULT, "Bad address"},
    {EBUSY, "Device or resource busy"},
    {EEXIST, "File exists"},
    {ENODEV, "No such device"},
    {EINVAL, "Invalid argument"},
    {ENFILE, "Too many open files in system"},
    {EMFILE, "Too many open files"},
    {ENOTTY, "Inappropriate ioctl for device"},
    {ENOSPC, "No space left on device"},
    {EPIPE, "Broken pipe"},
    {EDOM, "Numerical argument out of domain"},
    {ERANGE, "Numerical result out of range"},
    {EDEADLK, "Resource deadlock avoided"},
    {ENAMETOOLONG, "File name too long"},
    {ENOSYS, "Function not implemented"},
    {EOVERFLOW, "Value too large for defined data type"},
    {EILSEQ, "Invalid or incomplete multibyte or wide character"},
    {ENOTSUP, "Operation not supported"},
    {ETIMEDOUT, "Connection timed out"},
    {ECANCELED, "Operation canceled"},
    {EOWNERDEAD, "Owner died"},
    {ENXIO, "No such device or address"},
    {ENOEXEC, "Exec format error"},
    {EXDEV, "Invalid cross-device link"},
    {ENOTDIR, "Not a directory"},
    {EISDIR, "Is a directory"},
    {EFBIG, "File too large"},
    {ESPIPE, "Illegal seek"},
    {EROFS, "Read-only file system"},
    {EMLINK, "Too many links"},
    {ENOLCK, "No locks available"},
    {ELOOP, "Too many levels of symbolic links"},
    {ENOMSG, "No message of desired type"},
    {ENODATA, "No data available"},
    {ETIME, "Timer expired"},
    {EPROTO, "Protocol error"},
    {EBADMSG, "Bad message"},
    {EMSGSIZE, "Message too long"},
    {ENOBUFS, "No buffer space available"},
    {ECONNREFUSED, "Connection refused"},
    {EALREADY, "Operation already in progress"},
    {EINPROGRESS, "Operation now in progress"},
    {ENOTRECOVERABLE, "State not recoverable"},
};

char *strerror(int error) {
  for (unsigned i = 0; i < sizeof messages / sizeof messages[0]; i++) {
    if (messages[i].error == error) return (char *)messages[i].text;
  }
  return (char *)"Unknown error";
}

int strerror_r(int error, char *buffer, size_t size) {
  const char *text = strerror(error);
  if (strlen(text) >= size) return ERANGE;
  strcpy(buffer, text);
  return 0;
}
