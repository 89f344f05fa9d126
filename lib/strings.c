/* The less common half of <string.h>, and <strings.h>. */
#include <ctype.h>
#include <errno.h>
#include <fencepost/machine.h>
#include <stdio.h>
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

static const char *const messages[] = {
    "Success",
    [EPERM] = "Operation not permitted",
    [ENOENT] = "No such file or directory",
    [ESRCH] = "No such process",
    [EINTR] = "Interrupted system call",
    [EIO] = "Input/output error",
    [ENXIO] = "No such device or address",
    [E2BIG] = "Argument list too long",
    [ENOEXEC] = "Exec format error",
    [EBADF] = "Bad file descriptor",
    [ECHILD] = "No child processes",
    [EAGAIN] = "Resource temporarily unavailable",
    [ENOMEM] = "Cannot allocate memory",
    [EACCES] = "Permission denied",
    [EFAULT] = "Bad address",
    [ENOTBLK] = "Block device required",
    [EBUSY] = "Device or resource busy",
    [EEXIST] = "File exists",
    [EXDEV] = "Invalid cross-device link",
    [ENODEV] = "No such device",
    [ENOTDIR] = "Not a directory",
    [EISDIR] = "Is a directory",
    [EINVAL] = "Invalid argument",
    [ENFILE] = "Too many open files in system",
    [EMFILE] = "Too many open files",
    [ENOTTY] = "Inappropriate ioctl for device",
    [ETXTBSY] = "Text file busy",
    [EFBIG] = "File too large",
    [ENOSPC] = "No space left on device",
    [ESPIPE] = "Illegal seek",
    [EROFS] = "Read-only file system",
    [EMLINK] = "Too many links",
    [EPIPE] = "Broken pipe",
    [EDOM] = "Numerical argument out of domain",
    [ERANGE] = "Numerical result out of range",
    [EDEADLK] = "Resource deadlock avoided",
    [ENAMETOOLONG] = "File name too long",
    [ENOLCK] = "No locks available",
    [ENOSYS] = "Function not implemented",
    [ENOTEMPTY] = "Directory not empty",
    [ELOOP] = "Too many levels of symbolic links",
    [ENOMSG] = "No message of desired type",
    [EIDRM] = "Identifier removed",
    [ECHRNG] = "Channel number out of range",
    [EL2NSYNC] = "Level 2 not synchronized",
    [EL3HLT] = "Level 3 halted",
    [EL3RST] = "Level 3 reset",
    [ELNRNG] = "Link number out of range",
    [EUNATCH] = "Protocol driver not attached",
    [ENOCSI] = "No CSI structure available",
    [EL2HLT] = "Level 2 halted",
    [EBADE] = "Invalid exchange",
    [EBADR] = "Invalid request descriptor",
    [EXFULL] = "Exchange full",
    [ENOANO] = "No anode",
    [EBADRQC] = "Invalid request code",
    [EBADSLT] = "Invalid slot",
    [EBFONT] = "Bad font file format",
    [ENOSTR] = "Device not a stream",
    [ENODATA] = "No data available",
    [ETIME] = "Timer expired",
    [ENOSR] = "Out of streams resources",
    [ENONET] = "Machine is not on the network",
    [ENOPKG] = "Package not installed",
    [EREMOTE] = "Object is remote",
    [ENOLINK] = "Link has been severed",
    [EADV] = "Advertise error",
    [ESRMNT] = "Srmount error",
    [ECOMM] = "Communication error on send",
    [EPROTO] = "Protocol error",
    [EMULTIHOP] = "Multihop attempted",
    [EDOTDOT] = "RFS specific error",
    [EBADMSG] = "Bad message",
    [EOVERFLOW] = "Value too large for defined data type",
    [ENOTUNIQ] = "Name not unique on network",
    [EBADFD] = "File descriptor in bad state",
    [EREMCHG] = "Remote address changed",
    [ELIBACC] = "Can not access a needed shared library",
    [ELIBBAD] = "Accessing a corrupted shared library",
    [ELIBSCN] = ".lib section in a.out corrupted",
    [ELIBMAX] = "Attempting to link in too many shared libraries",
    [ELIBEXEC] = "Cannot exec a shared library directly",
    [EILSEQ] = "Invalid or incomplete multibyte or wide character",
    [ERESTART] = "Interrupted system call should be restarted",
    [ESTRPIPE] = "Streams pipe error",
    [EUSERS] = "Too many users",
    [ENOTSOCK] = "Socket operation on non-socket",
    [EDESTADDRREQ] = "Destination address required",
    [EMSGSIZE] = "Message too long",
    [EPROTOTYPE] = "Protocol wrong type for socket",
    [ENOPROTOOPT] = "Protocol not available",
    [EPROTONOSUPPORT] = "Protocol not supported",
    [ESOCKTNOSUPPORT] = "Socket type not supported",
    [EOPNOTSUPP] = "Operation not supported",
    [EPFNOSUPPORT] = "Protocol family not supported",
    [EAFNOSUPPORT] = "Address family not supported by protocol",
    [EADDRINUSE] = "Address already in use",
    [EADDRNOTAVAIL] = "Cannot assign requested address",
    [ENETDOWN] = "Network is down",
    [ENETUNREACH] = "Network is unreachable",
    [ENETRESET] = "Network dropped connection on reset",
    [ECONNABORTED] = "Software caused connection abort",
    [ECONNRESET] = "Connection reset by peer",
    [ENOBUFS] = "No buffer space available",
    [EISCONN] = "Transport endpoint is already connected",
    [ENOTCONN] = "Transport endpoint is not connected",
    [ESHUTDOWN] = "Cannot send after transport endpoint shutdown",
    [ETOOMANYREFS] = "Too many references: cannot splice",
    [ETIMEDOUT] = "Connection timed out",
    [ECONNREFUSED] = "Connection refused",
    [EHOSTDOWN] = "Host is down",
    [EHOSTUNREACH] = "No route to host",
    [EALREADY] = "Operation already in progress",
    [EINPROGRESS] = "Operation now in progress",
    [ESTALE] = "Stale file handle",
    [EUCLEAN] = "Structure needs cleaning",
    [ENOTNAM] = "Not a XENIX named type file",
    [ENAVAIL] = "No XENIX semaphores available",
    [EISNAM] = "Is a named type file",
    [EREMOTEIO] = "Remote I/O error",
    [EDQUOT] = "Disk quota exceeded",
    [ENOMEDIUM] = "No medium found",
    [EMEDIUMTYPE] = "Wrong medium type",
    [ECANCELED] = "Operation canceled",
    [ENOKEY] = "Required key not available",
    [EKEYEXPIRED] = "Key has expired",
    [EKEYREVOKED] = "Key has been revoked",
    [EKEYREJECTED] = "Key was rejected by service",
    [EOWNERDEAD] = "Owner died",
    [ENOTRECOVERABLE] = "State not recoverable",
    [ERFKILL] = "Operation not possible due to RF-kill",
    [EHWPOISON] = "Memory page has hardware error",
};

char *strerror(int error) {
  if (error >= 0 && error < (int)(sizeof messages / sizeof messages[0]) && messages[error])
    return (char *)messages[error];
  static __thread char other[32];
  snprintf(other, sizeof other, "Unknown error %d", error);
  return other;
}

int strerror_r(int error, char *buffer, size_t size) {
  const char *text = strerror(error);
  if (strlen(text) >= size) return ERANGE;
  strcpy(buffer, text);
  return 0;
}
