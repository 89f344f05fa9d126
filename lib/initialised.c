/*
 * Which objects have been initialised. Fresh memory is zero, and so are static variables without an initialiser, which
 * works everywhere; anything else must carry a mark, from its initialiser or from its init function. Files that were
 * preprocessed against another libc have that libc's initialisers, without marks; for them, nothing needs a mark.
 *
 * The marks of mutexes and condition variables:
 *
 *   __FENCEPOST_INITIALISED   from an initialiser
 *   FENCEPOST_READY           from an init function
 *   BEGUN                     from the step of an init function until its store arrives, once there are other threads
 *
 * An event on an object accesses its first byte, so it is ordered with stores of the mark, and looking at the mark
 * after it needs no step.
 */
#include <fencepost/library.h>

enum { BEGUN = 0x600c };

int __fencepost_marks = 1;
int __fencepost_threaded = 0;

int __fencepost_needs_mark(const volatile void *object) {
  return __fencepost_glance(&__fencepost_marks) && !__fencepost_is_static(object);
}

static int is_initialised(int mark) { return mark == __FENCEPOST_INITIALISED || mark == FENCEPOST_READY; }

/*
 * Private stack memory is reused: a thread that held an earlier object there does not hold this one. Only there,
 * because no other thread can initialise it in the meantime.
 */
static int is_new(const volatile int *object) {
  return __fencepost_is_constant((const void *)object) && __fencepost_needs_mark(object) &&
         !is_initialised(__fencepost_glance(object));
}

void __fencepost_init_marked(volatile int *object) {
  __fencepost_init((void *)object, is_new(object));
  if (__fencepost_glance(&__fencepost_threaded)) {
    __fencepost_poke(object, BEGUN);
    *object = FENCEPOST_READY;
    return;
  }
  int mark = __fencepost_needs_mark(object) ? FENCEPOST_READY : 0;
  int now = __fencepost_glance(object);
  if (now != mark && !is_initialised(now)) *object = mark;
}

int __fencepost_look_at_mark(const volatile int *object) {
  int mark = __fencepost_glance(object);
  int was_assigned = mark == __FENCEPOST_INITIALISED && __fencepost_needs_mark(object);
  return was_assigned ? __atomic_load_n(object, __ATOMIC_RELAXED) : mark;
}

void __fencepost_note_initialised(volatile int *word) {
  int mark = __fencepost_needs_mark(word) ? __FENCEPOST_INITIALISED : 0;
  int now = __fencepost_glance(word);
  if (now != mark && now != __FENCEPOST_INITIALISED) *word = mark;
}

void __fencepost_check_mark(int mark, const volatile void *object, const char *misuse) {
  if (mark == BEGUN || (!is_initialised(mark) && __fencepost_needs_mark(object))) __fencepost_misuse(misuse);
}
