/*
 * Vyukov's bounded queue for many producers and consumers: every slot has a number that says whose turn it is.
 * D. Vyukov, Bounded MPMC queue, 2010.
 *
 * A producer claims a position with a compare-exchange, fills the slot, and then passes it on by its number. Under
 * PSO the number can overtake the value, and a consumer takes an old value. The consumer passes the slot
 * back after a load, which no model delays.
 */
#include "../fences.h"
#include <stdint.h>

enum { SLOTS = 2, NOTHING = -1 };

struct slot {
  atomic_int number;
  int value;
};

struct slot slots[SLOTS] = {{0, 0}, {1, 0}};
atomic_int put_at, take_at;

/* There is room. */
static void put(int value) {
  int at = get(put_at);
  struct slot *slot;
  for (;;) {
    slot = &slots[at % SLOTS];
    if (get(slot->number) != at)
      at = get(put_at);
    else if (replace(put_at, at, at + 1))
      break;
  }
  slot->value = value;
  STORE_STORE();
  set(slot->number, at + 1);
}

/* NOTHING also if a producer is still filling the slot. */
static int take(void) {
  int at = get(take_at);
  struct slot *slot;
  for (;;) {
    slot = &slots[at % SLOTS];
    int number = get(slot->number);
    if (number < at + 1) return NOTHING;
    if (number > at + 1)
      at = get(take_at);
    else if (replace(take_at, at, at + 1))
      break;
  }
  int value = slot->value;
  set(slot->number, at + SLOTS);
  return value;
}

static void *second(void *unused) {
  (void)unused;
  put(2);
  return (void *)(intptr_t)take();
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, second, 0);
  put(1);
  int mine = take();
  void *result;
  pthread_join(thread, &result);
  int theirs = (int)(intptr_t)result;
  assert(mine != 0 && theirs != 0);
  assert(mine == NOTHING || mine != theirs);
  return 0;
}
