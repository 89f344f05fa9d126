/*
 * Which objects have been initialised. Fresh memory is zero, and so are static variables without an initialiser, which
 * works everywhere; anything else must carry a mark, from its initialiser or from its init function. Files that were
 * preprocessed against another libc have that libc's initialisers, without marks; for them, nothing needs a mark.
 */
#include <fencepost/library.h>

int __fencepost_marks = 1;

/* Static variables have lower addresses than all others, thread-local ones included. */
static __thread int not_static;

int __fencepost_is_static(const volatile void *object) { return (unsigned)object < (unsigned)&not_static; }

int __fencepost_needs_mark(const volatile void *object) {
  return __fencepost_glance(&__fencepost_marks) && !__fencepost_is_static(object);
}

int __fencepost_is_new(const volatile int *word) {
  int now = __fencepost_glance(word);
  return __fencepost_needs_mark(word) && now != __FENCEPOST_INITIALISED;
}

void __fencepost_note_initialised(volatile int *word) {
  int mark = __fencepost_needs_mark(word) ? __FENCEPOST_INITIALISED : 0;
  int now = __fencepost_glance(word);
  if (now != mark && now != __FENCEPOST_INITIALISED) *word = mark;
}

void __fencepost_check_mark(int mark, const volatile void *object, const char *misuse) {
  if (mark != __FENCEPOST_INITIALISED && __fencepost_needs_mark(object)) __fencepost_misuse(misuse);
}
