// A stack (Treiber 1986); what was popped is freed at the end. WEAK: a push is no release.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef WEAK
constexpr auto PUBLISH = std::memory_order_relaxed;
#else
constexpr auto PUBLISH = std::memory_order_release;
#endif

template <class T>
class Stack {
public:
  struct Node {
    T value;
    Node *next;
  };

  void push(Node *node) {
    node->next = head.load(std::memory_order_relaxed);
    while (!head.compare_exchange_weak(node->next, node, PUBLISH, std::memory_order_relaxed)) {}
  }

  Node *pop() {
    Node *node = head.load(std::memory_order_acquire);
    while (node && !head.compare_exchange_weak(node, node->next, std::memory_order_acquire, std::memory_order_acquire)) {}
    return node;
  }

private:
  std::atomic<Node *> head{nullptr};
};

int main() {
  Stack<int> stack;
  std::thread one([&] { stack.push(new Stack<int>::Node{1, nullptr}); });
  std::thread two([&] { stack.push(new Stack<int>::Node{2, nullptr}); });
  auto *popped = stack.pop();
  if (popped) assert(popped->value == 1 || popped->value == 2);
  one.join();
  two.join();
  delete popped;
  while (auto *rest = stack.pop()) delete rest;
  return 0;
}
