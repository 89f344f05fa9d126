// Readers that detect a writer (orders: Boehm 2012). WEAK: the reader does not fence before its second look.
#include <atomic>
#include <cassert>
#include <thread>

class Pair {
  std::atomic<unsigned> sequence{0};
  std::atomic<int> left{0}, right{0};

public:
  void write(int value) {
    unsigned now = sequence.load(std::memory_order_relaxed);
    sequence.store(now + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    left.store(value, std::memory_order_relaxed);
    right.store(value, std::memory_order_relaxed);
    sequence.store(now + 2, std::memory_order_release);
  }

  bool read(int &l, int &r) {
    unsigned before = sequence.load(std::memory_order_acquire);
    l = left.load(std::memory_order_relaxed);
    r = right.load(std::memory_order_relaxed);
#ifndef WEAK
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    return before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before;
  }
};

int main() {
  Pair pair;
  std::thread writer([&] { pair.write(1); });
  int l = 0, r = 0;
  if (pair.read(l, r)) assert(l == r);
  writer.join();
  return 0;
}
