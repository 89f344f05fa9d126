/*
 * The sequence lock of the Linux kernel (2003, after A. van de Ven and S. Hemminger): the writer makes the number
 * odd, writes, and makes it even again; a reader that saw two different numbers, or an odd one, reads again.
 *
 * Under PSO the data can overtake the odd number, and the even number the data; either way a reader sees half of an
 * update without noticing. Both places need a store-store fence: BEGIN_ONLY and END_ONLY have one of them each. On
 * these machines loads run in order, so the reader needs no fence.
 */
#include "../fences.h"

#ifdef FENCE_PSO
#define BEGIN_ONLY
#define END_ONLY
#endif

atomic_int sequence;
atomic_int left, right;

static void *writer(void *unused) {
  (void)unused;
  set(sequence, 1);
#ifdef BEGIN_ONLY
  atomic_thread_fence(memory_order_release);
#endif
  set(left, 1);
  set(right, 1);
#ifdef END_ONLY
  atomic_thread_fence(memory_order_release);
#endif
  set(sequence, 2);
  return 0;
}

static void reader(void) {
  int before, a, b;
  do {
    while ((before = get(sequence)) & 1)
      ;
    a = get(left);
    b = get(right);
  } while (get(sequence) != before);
  assert(a == b);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  reader();
  pthread_join(thread, 0);
  return 0;
}
