// Hazard pointers (Michael 2004): a reader announces what it reads, and looks again. WEAK: it does not fence in between.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int *> shared{nullptr};
std::atomic<int *> hazard{nullptr};

int read() {
  int *seen = shared.load(std::memory_order_acquire);
  hazard.store(seen, std::memory_order_relaxed);
#ifndef WEAK
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  int value = 0;
  if (shared.load(std::memory_order_acquire) == seen) value = *seen;
  hazard.store(nullptr, std::memory_order_release);
  return value;
}

int *replace(int value) {
  int *old = shared.exchange(new int(value), std::memory_order_acq_rel);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (hazard.load(std::memory_order_acquire) == old) return old;
  delete old;
  return nullptr;
}

int main() {
  shared.store(new int(1), std::memory_order_relaxed);
  int *left = nullptr;
  std::thread writer([&] { left = replace(2); });
  int value = read();
  assert(value >= 0 && value <= 2);
  writer.join();
  delete left;
  delete shared.load(std::memory_order_relaxed);
  return 0;
}
