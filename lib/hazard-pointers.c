/*
 * GenMC's hazard pointers [Michael, IEEE TPDS 15(6), 2004], as plain code: a list of records that only grows, one
 * protected pointer in each. The fence in `protect` and the one in `retire` order the announcement before the second
 * look, and the unlinking before the search, so that one of the two threads sees the other.
 */
#include <fencepost/machine.h>
#include <genmc.h>
#include <stdlib.h>

struct __fencepost_hazard {
  void *protects;
  struct __fencepost_hazard *next;
};

static struct __fencepost_hazard *records;

/* What the thread has retired while it was protected. */
struct private_retired {
  void *object;
  struct private_retired *next;
};
static __thread struct private_retired *waiting;

__VERIFIER_hp_t *__VERIFIER_hp_alloc(void) {
  struct __fencepost_hazard *record = __fencepost_keep(sizeof *record);
  __atomic_store_n(&record->protects, 0, __ATOMIC_RELAXED);
  struct __fencepost_hazard *first = __atomic_load_n(&records, __ATOMIC_RELAXED);
  do {
    record->next = first;
  } while (!__atomic_compare_exchange_n(&records, &first, record, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  return record;
}

void *__fencepost_hazard_protect(__VERIFIER_hp_t *pointer, void *place) {
  void *seen = __atomic_load_n((void **)place, __ATOMIC_RELAXED);
  for (;;) {
    __atomic_store_n(&pointer->protects, seen, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    void *now = __atomic_load_n((void **)place, __ATOMIC_ACQUIRE);
    if (now == seen) return now;
    seen = now;
  }
}

void __VERIFIER_hp_clear(__VERIFIER_hp_t *pointer) { __atomic_store_n(&pointer->protects, 0, __ATOMIC_RELEASE); }

/* The record stays in the list. */
void __VERIFIER_hp_free(__VERIFIER_hp_t *pointer) { __VERIFIER_hp_clear(pointer); }

static int is_protected(void *object) {
  struct __fencepost_hazard *record = __atomic_load_n(&records, __ATOMIC_ACQUIRE);
  for (; record; record = record->next) {
    if (__atomic_load_n(&record->protects, __ATOMIC_ACQUIRE) == object) return 1;
  }
  return 0;
}

void __VERIFIER_hp_retire(void *object) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  struct private_retired **link = &waiting;
  while (*link) {
    struct private_retired *retired = *link;
    if (is_protected(retired->object)) {
      link = &retired->next;
      continue;
    }
    *link = retired->next;
    free(retired->object);
  }
  if (!is_protected(object)) {
    free(object);
    return;
  }
  struct private_retired *retired = __fencepost_keep(sizeof *retired);
  retired->object = object;
  retired->next = 0;
  *link = retired;
}
