// A deque for work stealing (Chase and Lev 2005; orders: Le, Pop, Cohen and Zappa Nardelli 2013). WEAK: the owner does not
// fence between its claim and its look at the thief's end.
#include <atomic>
#include <cassert>
#include <thread>

class Deque {
  std::atomic<int> cells[4];
  std::atomic<int> top{0}, bottom{0};

public:
  void push(int value) {
    int b = bottom.load(std::memory_order_relaxed);
    cells[b % 4].store(value, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom.store(b + 1, std::memory_order_relaxed);
  }

  int take() {
    int b = bottom.load(std::memory_order_relaxed) - 1;
    bottom.store(b, std::memory_order_relaxed);
#ifndef WEAK
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    int t = top.load(std::memory_order_relaxed);
    int value = 0;
    if (t <= b) {
      value = cells[b % 4].load(std::memory_order_relaxed);
      if (t < b) return value;
      if (!top.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) value = 0;
    }
    bottom.store(b + 1, std::memory_order_relaxed);
    return value;
  }

  int steal() {
    int t = top.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    int b = bottom.load(std::memory_order_acquire);
    if (t >= b) return 0;
    int value = cells[t % 4].load(std::memory_order_relaxed);
    return top.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed) ? value : 0;
  }
};

int main() {
  Deque deque;
  std::atomic<int> taken[3] = {};
  auto note = [&](int value) {
    if (value) assert(taken[value].fetch_add(1, std::memory_order_relaxed) == 0);
  };
  deque.push(1);
  deque.push(2);
  std::thread thief([&] {
    note(deque.steal());
    note(deque.steal());
  });
  note(deque.take());
  note(deque.take());
  thief.join();
  return 0;
}
