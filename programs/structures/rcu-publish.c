/*
 * Read-copy-update, the half that publishes: fill in a new version, then make the pointer point to it.
 * P. E. McKenney, J. D. Slingwine, Read-copy update, 1998 (rcu_assign_pointer).
 *
 * Under TSO the pointer comes last. Under PSO it can overtake what it points to, and a reader sees half of the new
 * version. Versions are never freed here; see rcu-grace.c for that half.
 */
#include "../fences.h"

struct version {
  int left, right;
};

struct version first = {1, 1}, next;
_Atomic(struct version *) current = &first;

static void *updater(void *unused) {
  (void)unused;
  next.left = 2;
  next.right = 2;
  STORE_STORE();
  set(current, &next);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, updater, 0);
  struct version *seen = get(current);
  int left = seen->left, right = seen->right;
  assert(left == right && left != 0);
  pthread_join(thread, 0);
  return 0;
}
