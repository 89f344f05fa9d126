/*
 * Lists made of macros, as in the manual page queue(3): singly linked (SLIST, STAILQ) or doubly linked (LIST,
 * TAILQ), with a tail pointer (STAILQ, TAILQ). Ordinary code, in which each pointer access counts.
 */
#ifndef FENCEPOST_SYS_QUEUE_H
#define FENCEPOST_SYS_QUEUE_H

#ifdef __cplusplus
extern "C" {
#endif

#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { 0 }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(element, field) ((element)->field.sle_next)
#define SLIST_EMPTY(head) (SLIST_FIRST(head) == 0)
#define SLIST_INIT(head) do { SLIST_FIRST(head) = 0; } while (0)
#define SLIST_FOREACH(var, head, field) for ((var) = SLIST_FIRST(head); (var); (var) = SLIST_NEXT(var, field))
#define SLIST_FOREACH_SAFE(var, head, field, next) \
  for ((var) = SLIST_FIRST(head); (var) && ((next) = SLIST_NEXT(var, field), 1); (var) = (next))
#define SLIST_INSERT_HEAD(head, element, field) \
  do { \
    SLIST_NEXT(element, field) = SLIST_FIRST(head); \
    SLIST_FIRST(head) = (element); \
  } while (0)
#define SLIST_INSERT_AFTER(place, element, field) \
  do { \
    SLIST_NEXT(element, field) = SLIST_NEXT(place, field); \
    SLIST_NEXT(place, field) = (element); \
  } while (0)
#define SLIST_REMOVE_HEAD(head, field) do { SLIST_FIRST(head) = SLIST_NEXT(SLIST_FIRST(head), field); } while (0)
#define SLIST_REMOVE_AFTER(place, field) \
  do { \
    SLIST_NEXT(place, field) = SLIST_NEXT(SLIST_NEXT(place, field), field); \
  } while (0)
#define SLIST_REMOVE(head, element, type, field) \
  do { \
    struct type **__link = &SLIST_FIRST(head); \
    while (*__link != (element)) __link = &SLIST_NEXT(*__link, field); \
    *__link = SLIST_NEXT(element, field); \
  } while (0)

#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { 0 }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(element, field) ((element)->field.le_next)
#define LIST_EMPTY(head) (LIST_FIRST(head) == 0)
#define LIST_INIT(head) do { LIST_FIRST(head) = 0; } while (0)
#define LIST_FOREACH(var, head, field) for ((var) = LIST_FIRST(head); (var); (var) = LIST_NEXT(var, field))
#define LIST_FOREACH_SAFE(var, head, field, next) \
  for ((var) = LIST_FIRST(head); (var) && ((next) = LIST_NEXT(var, field), 1); (var) = (next))
#define LIST_INSERT_HEAD(head, element, field) \
  do { \
    if ((LIST_NEXT(element, field) = LIST_FIRST(head)) != 0) LIST_FIRST(head)->field.le_prev = &LIST_NEXT(element, field); \
    LIST_FIRST(head) = (element); \
    (element)->field.le_prev = &LIST_FIRST(head); \
  } while (0)
#define LIST_INSERT_AFTER(place, element, field) \
  do { \
    if ((LIST_NEXT(element, field) = LIST_NEXT(place, field)) != 0) LIST_NEXT(place, field)->field.le_prev = &LIST_NEXT(element, field); \
    LIST_NEXT(place, field) = (element); \
    (element)->field.le_prev = &LIST_NEXT(place, field); \
  } while (0)
#define LIST_INSERT_BEFORE(place, element, field) \
  do { \
    (element)->field.le_prev = (place)->field.le_prev; \
    LIST_NEXT(element, field) = (place); \
    *(place)->field.le_prev = (element); \
    (place)->field.le_prev = &LIST_NEXT(element, field); \
  } while (0)
#define LIST_REMOVE(element, field) \
  do { \
    if (LIST_NEXT(element, field) != 0) LIST_NEXT(element, field)->field.le_prev = (element)->field.le_prev; \
    *(element)->field.le_prev = LIST_NEXT(element, field); \
  } while (0)

#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { 0, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_NEXT(element, field) ((element)->field.stqe_next)
#define STAILQ_EMPTY(head) (STAILQ_FIRST(head) == 0)
#define STAILQ_INIT(head) do { STAILQ_FIRST(head) = 0; (head)->stqh_last = &STAILQ_FIRST(head); } while (0)
#define STAILQ_FOREACH(var, head, field) for ((var) = STAILQ_FIRST(head); (var); (var) = STAILQ_NEXT(var, field))
#define STAILQ_FOREACH_SAFE(var, head, field, next) \
  for ((var) = STAILQ_FIRST(head); (var) && ((next) = STAILQ_NEXT(var, field), 1); (var) = (next))
#define STAILQ_INSERT_HEAD(head, element, field) \
  do { \
    if ((STAILQ_NEXT(element, field) = STAILQ_FIRST(head)) == 0) (head)->stqh_last = &STAILQ_NEXT(element, field); \
    STAILQ_FIRST(head) = (element); \
  } while (0)
#define STAILQ_INSERT_TAIL(head, element, field) \
  do { \
    STAILQ_NEXT(element, field) = 0; \
    *(head)->stqh_last = (element); \
    (head)->stqh_last = &STAILQ_NEXT(element, field); \
  } while (0)
#define STAILQ_INSERT_AFTER(head, place, element, field) \
  do { \
    if ((STAILQ_NEXT(element, field) = STAILQ_NEXT(place, field)) == 0) (head)->stqh_last = &STAILQ_NEXT(element, field); \
    STAILQ_NEXT(place, field) = (element); \
  } while (0)
#define STAILQ_REMOVE_HEAD(head, field) \
  do { \
    if ((STAILQ_FIRST(head) = STAILQ_NEXT(STAILQ_FIRST(head), field)) == 0) (head)->stqh_last = &STAILQ_FIRST(head); \
  } while (0)
#define STAILQ_REMOVE(head, element, type, field) \
  do { \
    struct type **__link = &STAILQ_FIRST(head); \
    while (*__link != (element)) __link = &STAILQ_NEXT(*__link, field); \
    if ((*__link = STAILQ_NEXT(element, field)) == 0) (head)->stqh_last = __link; \
  } while (0)
#define STAILQ_CONCAT(head, other) \
  do { \
    if (!STAILQ_EMPTY(other)) { \
      *(head)->stqh_last = STAILQ_FIRST(other); \
      (head)->stqh_last = (other)->stqh_last; \
      STAILQ_INIT(other); \
    } \
  } while (0)

#define SIMPLEQ_HEAD(name, type) STAILQ_HEAD(name, type)
#define SIMPLEQ_HEAD_INITIALIZER(head) STAILQ_HEAD_INITIALIZER(head)
#define SIMPLEQ_ENTRY(type) STAILQ_ENTRY(type)
#define SIMPLEQ_FIRST(head) STAILQ_FIRST(head)
#define SIMPLEQ_NEXT(element, field) STAILQ_NEXT(element, field)
#define SIMPLEQ_EMPTY(head) STAILQ_EMPTY(head)
#define SIMPLEQ_INIT(head) STAILQ_INIT(head)
#define SIMPLEQ_FOREACH(var, head, field) STAILQ_FOREACH(var, head, field)
#define SIMPLEQ_INSERT_HEAD(head, element, field) STAILQ_INSERT_HEAD(head, element, field)
#define SIMPLEQ_INSERT_TAIL(head, element, field) STAILQ_INSERT_TAIL(head, element, field)
#define SIMPLEQ_INSERT_AFTER(head, place, element, field) STAILQ_INSERT_AFTER(head, place, element, field)
#define SIMPLEQ_REMOVE_HEAD(head, field) STAILQ_REMOVE_HEAD(head, field)
#define SIMPLEQ_REMOVE(head, element, type, field) STAILQ_REMOVE(head, element, type, field)

#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { 0, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_NEXT(element, field) ((element)->field.tqe_next)
#define TAILQ_LAST(head, name) (*((struct name *)(void *)(head)->tqh_last)->tqh_last)
#define TAILQ_PREV(element, name, field) (*((struct name *)(void *)(element)->field.tqe_prev)->tqh_last)
#define TAILQ_EMPTY(head) (TAILQ_FIRST(head) == 0)
#define TAILQ_INIT(head) do { TAILQ_FIRST(head) = 0; (head)->tqh_last = &TAILQ_FIRST(head); } while (0)
#define TAILQ_FOREACH(var, head, field) for ((var) = TAILQ_FIRST(head); (var); (var) = TAILQ_NEXT(var, field))
#define TAILQ_FOREACH_REVERSE(var, head, name, field) \
  for ((var) = TAILQ_LAST(head, name); (var); (var) = TAILQ_PREV(var, name, field))
#define TAILQ_FOREACH_SAFE(var, head, field, next) \
  for ((var) = TAILQ_FIRST(head); (var) && ((next) = TAILQ_NEXT(var, field), 1); (var) = (next))
#define TAILQ_INSERT_HEAD(head, element, field) \
  do { \
    if ((TAILQ_NEXT(element, field) = TAILQ_FIRST(head)) != 0) TAILQ_FIRST(head)->field.tqe_prev = &TAILQ_NEXT(element, field); \
    else (head)->tqh_last = &TAILQ_NEXT(element, field); \
    TAILQ_FIRST(head) = (element); \
    (element)->field.tqe_prev = &TAILQ_FIRST(head); \
  } while (0)
#define TAILQ_INSERT_TAIL(head, element, field) \
  do { \
    TAILQ_NEXT(element, field) = 0; \
    (element)->field.tqe_prev = (head)->tqh_last; \
    *(head)->tqh_last = (element); \
    (head)->tqh_last = &TAILQ_NEXT(element, field); \
  } while (0)
#define TAILQ_INSERT_AFTER(head, place, element, field) \
  do { \
    if ((TAILQ_NEXT(element, field) = TAILQ_NEXT(place, field)) != 0) TAILQ_NEXT(element, field)->field.tqe_prev = &TAILQ_NEXT(element, field); \
    else (head)->tqh_last = &TAILQ_NEXT(element, field); \
    TAILQ_NEXT(place, field) = (element); \
    (element)->field.tqe_prev = &TAILQ_NEXT(place, field); \
  } while (0)
#define TAILQ_INSERT_BEFORE(place, element, field) \
  do { \
    (element)->field.tqe_prev = (place)->field.tqe_prev; \
    TAILQ_NEXT(element, field) = (place); \
    *(place)->field.tqe_prev = (element); \
    (place)->field.tqe_prev = &TAILQ_NEXT(element, field); \
  } while (0)
#define TAILQ_REMOVE(head, element, field) \
  do { \
    if (TAILQ_NEXT(element, field) != 0) TAILQ_NEXT(element, field)->field.tqe_prev = (element)->field.tqe_prev; \
    else (head)->tqh_last = (element)->field.tqe_prev; \
    *(element)->field.tqe_prev = TAILQ_NEXT(element, field); \
  } while (0)
#define TAILQ_CONCAT(head, other, field) \
  do { \
    if (!TAILQ_EMPTY(other)) { \
      *(head)->tqh_last = TAILQ_FIRST(other); \
      TAILQ_FIRST(other)->field.tqe_prev = (head)->tqh_last; \
      (head)->tqh_last = (other)->tqh_last; \
      TAILQ_INIT(other); \
    } \
  } while (0)

#ifdef __cplusplus
}
#endif

#endif
