#include <fencepost/library.h>

static __thread struct __fencepost_hold *holds;

/* Entries are reused, not freed, so the list is as long as the largest number of objects held at one time. */
struct __fencepost_hold *__fencepost_find_hold(void *object) {
  struct __fencepost_hold *hold = __fencepost_glance_pointer(&holds);
  while (hold && __fencepost_glance_pointer(&hold->object) != object) hold = __fencepost_glance_pointer(&hold->next);
  return hold;
}

void *__fencepost_held_robust(void) {
  for (struct __fencepost_hold *hold = __fencepost_glance_pointer(&holds); hold; hold = __fencepost_glance_pointer(&hold->next)) {
    void *object = __fencepost_glance_pointer(&hold->object);
    if (object && __fencepost_glance(&hold->is_robust)) return object;
  }
  return 0;
}

void __fencepost_add_hold(void *object, int count) {
  struct __fencepost_hold *hold = __fencepost_find_hold((void *)0);
  if (!hold) {
    hold = __fencepost_keep(sizeof *hold);
    __fencepost_poke_pointer(&hold->next, __fencepost_glance_pointer(&holds));
    __fencepost_poke_pointer(&holds, hold);
  }
  __fencepost_poke_pointer(&hold->object, object);
  __fencepost_poke(&hold->count, count);
  __fencepost_poke(&hold->is_robust, 0);
}

void __fencepost_drop_hold(void *object) {
  struct __fencepost_hold *hold = __fencepost_find_hold(object);
  if (hold) __fencepost_poke_pointer(&hold->object, (void *)0);
}

void __fencepost_count_hold(struct __fencepost_hold *hold, int count) { __fencepost_poke(&hold->count, count); }

int __fencepost_hold_count(struct __fencepost_hold *hold) { return __fencepost_glance(&hold->count); }
