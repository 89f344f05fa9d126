// A bounded queue of many producers and consumers, with a number in each cell (Vyukov). WEAK: a full cell is no release.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef WEAK
constexpr auto PUBLISH = std::memory_order_relaxed;
#else
constexpr auto PUBLISH = std::memory_order_release;
#endif

template <class T, unsigned Capacity>
class Queue {
  struct Cell {
    std::atomic<unsigned> turn;
    T value;
  };
  Cell cells[Capacity];
  std::atomic<unsigned> in{0}, out{0};

public:
  Queue() {
    for (unsigned i = 0; i < Capacity; i++) cells[i].turn.store(i, std::memory_order_relaxed);
  }

  bool push(T value) {
    unsigned at = in.load(std::memory_order_relaxed);
    for (;;) {
      Cell &cell = cells[at % Capacity];
      int ahead = static_cast<int>(cell.turn.load(std::memory_order_acquire) - at);
      if (ahead < 0) return false;
      if (ahead > 0) {
        at = in.load(std::memory_order_relaxed);
      } else if (in.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) {
        cell.value = value;
        cell.turn.store(at + 1, PUBLISH);
        return true;
      }
    }
  }

  bool pop(T &value) {
    unsigned at = out.load(std::memory_order_relaxed);
    for (;;) {
      Cell &cell = cells[at % Capacity];
      int ahead = static_cast<int>(cell.turn.load(std::memory_order_acquire) - (at + 1));
      if (ahead < 0) return false;
      if (ahead > 0) {
        at = out.load(std::memory_order_relaxed);
      } else if (out.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) {
        value = cell.value;
        cell.turn.store(at + Capacity, std::memory_order_release);
        return true;
      }
    }
  }
};

int main() {
  Queue<int, 2> queue;
  std::thread one([&] { queue.push(1); });
  std::thread two([&] { queue.push(2); });
  int value = 0;
  if (queue.pop(value)) assert(value == 1 || value == 2);
  one.join();
  two.join();
  return 0;
}
