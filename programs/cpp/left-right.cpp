// Two instances: readers read one while the writer changes the other (Ramalhete and Correia 2015), for one write.
// WEAK: a reader's arrival and its look at the side may change places.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef WEAK
constexpr auto ARRIVE = std::memory_order_relaxed;
#else
constexpr auto ARRIVE = std::memory_order_seq_cst;
#endif

struct Pair {
  int left, right;
};

class LeftRight {
  Pair instance[2] = {};
  std::atomic<int> side{0};
  std::atomic<int> reading{0};

public:
  Pair read() {
    reading.store(1, ARRIVE);
    Pair value = instance[side.load(std::memory_order_seq_cst)];
    reading.store(0, std::memory_order_release);
    return value;
  }

  void write(Pair value) {
    instance[1] = value;
    side.store(1, std::memory_order_seq_cst);
    while (reading.load(std::memory_order_seq_cst)) {}
    instance[0] = value;
  }
};

int main() {
  LeftRight both;
  std::thread writer([&] { both.write(Pair{1, 1}); });
  Pair value = both.read();
  assert(value.left == value.right);
  writer.join();
  return 0;
}
