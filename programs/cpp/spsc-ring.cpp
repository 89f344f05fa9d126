// A ring between one producer and one consumer (Lamport 1983). WEAK: the producer's index is no release.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef WEAK
constexpr auto PUBLISH = std::memory_order_relaxed;
#else
constexpr auto PUBLISH = std::memory_order_release;
#endif

template <class T, unsigned Capacity>
class Ring {
  T cells[Capacity];
  std::atomic<unsigned> head{0}, tail{0};

public:
  bool push(T value) {
    unsigned at = tail.load(std::memory_order_relaxed);
    if (at - head.load(std::memory_order_acquire) == Capacity) return false;
    cells[at % Capacity] = value;
    tail.store(at + 1, PUBLISH);
    return true;
  }

  bool pop(T &value) {
    unsigned at = head.load(std::memory_order_relaxed);
    if (at == tail.load(std::memory_order_acquire)) return false;
    value = cells[at % Capacity];
    head.store(at + 1, std::memory_order_release);
    return true;
  }
};

int main() {
  Ring<int, 2> ring;
  std::thread producer([&] {
    for (int i = 1; i <= 3; i++) ring.push(i);
  });
  int last = 0;
  for (int tries = 0; tries < 2; tries++) {
    int value = 0;
    if (!ring.pop(value)) continue;
    assert(value == last + 1);
    last = value;
  }
  producer.join();
  return 0;
}
