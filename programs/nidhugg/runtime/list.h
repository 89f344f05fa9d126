/*
 * Circular, intrusive lists. An empty list is a head linked to itself; a node that is in
 * no list is too, so that removing it twice is harmless.
 */
#ifndef RT_LIST_H
#define RT_LIST_H

#include <stddef.h>

typedef struct rt_node {
  struct rt_node *next;
  struct rt_node *previous;
} rt_node;

/* The object of this type whose member `field` is the node. */
#define RT_OBJECT_OF(node, type, field) ((type *)((char *)(node) - offsetof(type, field)))

#define RT_LIST_EACH(head, node) for (rt_node *node = (head)->next; node != (head); node = node->next)

static inline void rt_list_init(rt_node *head) {
  head->next = head;
  head->previous = head;
}

static inline int rt_list_is_empty(const rt_node *head) { return head->next == head; }

static inline void rt_list_insert_before(rt_node *place, rt_node *node) {
  node->next = place;
  node->previous = place->previous;
  place->previous->next = node;
  place->previous = node;
}

static inline void rt_list_push_back(rt_node *head, rt_node *node) { rt_list_insert_before(head, node); }

static inline void rt_list_push_front(rt_node *head, rt_node *node) { rt_list_insert_before(head->next, node); }

static inline void rt_list_remove(rt_node *node) {
  node->previous->next = node->next;
  node->next->previous = node->previous;
  rt_list_init(node);
}

/* Removes the first node and returns it; null if there is none. */
static inline rt_node *rt_list_pop_front(rt_node *head) {
  if (rt_list_is_empty(head)) return 0;
  rt_node *node = head->next;
  rt_list_remove(node);
  return node;
}

static inline size_t rt_list_length(const rt_node *head) {
  size_t length = 0;
  for (const rt_node *node = head->next; node != head; node = node->next) length++;
  return length;
}

/* Moves everything from one list to the end of another. */
static inline void rt_list_splice(rt_node *to, rt_node *from) {
  if (rt_list_is_empty(from)) return;
  from->next->previous = to->previous;
  to->previous->next = from->next;
  from->previous->next = to;
  to->previous = from->previous;
  rt_list_init(from);
}

#endif
