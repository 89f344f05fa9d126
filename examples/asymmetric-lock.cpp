// A lock for two threads, one of which takes it much more often than the other: the owner only stores and loads, the
// guest pays for an atomic exchange. Each raises its flag and then looks at the other's, so neither may look before its
// flag can be seen. The guest's exchange sees to that. The owner's store may still be in its store buffer when it
// looks: both are inside, and an increment is lost.
//
// Standard C++: record it with `fencepost record` (docs/recording.md). -DFENCE adds the missing fence.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

static std::atomic<bool> owner{false}, guest{false};
static unsigned long count = 0;

static bool owner_enters() {
  owner.store(true, std::memory_order_relaxed);
#ifdef FENCE
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  if (!guest.load(std::memory_order_acquire)) return true;
  owner.store(false, std::memory_order_relaxed);
  return false;
}

static bool guest_enters() {
  guest.exchange(true, std::memory_order_seq_cst);
  if (!owner.load(std::memory_order_acquire)) return true;
  guest.store(false, std::memory_order_relaxed);
  return false;
}

static void own(unsigned long times) {
  for (unsigned long i = 0; i < times; i++) {
    while (!owner_enters()) std::this_thread::yield();
    count++;
    owner.store(false, std::memory_order_release);
  }
}

static void visit(unsigned long times) {
  for (unsigned long i = 0; i < times; i++) {
    while (!guest_enters()) std::this_thread::yield();
    count++;
    guest.store(false, std::memory_order_release);
  }
}

int main(int words, char **word) {
  const unsigned long times = words > 1 ? std::strtoul(word[1], nullptr, 10) : 100000;
  std::thread first(own, times), second(visit, times);
  first.join();
  second.join();
  std::printf("%lu of %lu\n", count, 2 * times);
  return count == 2 * times ? 0 : 1;
}
