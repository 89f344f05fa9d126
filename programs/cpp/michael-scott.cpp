// A queue (Michael and Scott 1996); nodes are freed at the end. WEAK: linking a node is no release.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef WEAK
constexpr auto PUBLISH = std::memory_order_relaxed;
#else
constexpr auto PUBLISH = std::memory_order_release;
#endif

template <class T>
class Queue {
  struct Node {
    T value{};
    std::atomic<Node *> next{nullptr};
  };
  Node *first = new Node;
  std::atomic<Node *> head{first}, tail{first};

public:
  ~Queue() {
    while (first) {
      Node *next = first->next.load(std::memory_order_relaxed);
      delete first;
      first = next;
    }
  }

  void push(T value) {
    Node *node = new Node;
    node->value = value;
    for (;;) {
      Node *last = tail.load(std::memory_order_acquire);
      Node *next = last->next.load(std::memory_order_acquire);
      if (next) {
        tail.compare_exchange_strong(last, next, PUBLISH, std::memory_order_relaxed);
      } else if (last->next.compare_exchange_strong(next, node, PUBLISH, std::memory_order_relaxed)) {
        tail.compare_exchange_strong(last, node, PUBLISH, std::memory_order_relaxed);
        return;
      }
    }
  }

  bool pop(T &value) {
    for (;;) {
      Node *old = head.load(std::memory_order_acquire);
      Node *next = old->next.load(std::memory_order_acquire);
      if (!next) return false;
      if (head.compare_exchange_strong(old, next, std::memory_order_acq_rel, std::memory_order_relaxed)) {
        value = next->value;
        return true;
      }
    }
  }
};

int main() {
  Queue<int> queue;
  std::thread one([&] { queue.push(1); });
  std::thread two([&] { queue.push(2); });
  int value = 0;
  if (queue.pop(value)) assert(value == 1 || value == 2);
  one.join();
  two.join();
  return 0;
}
