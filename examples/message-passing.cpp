// A value is handed over through a flag. The store of the flag must be a release: with -D RELAXED it is not, and the
// reader may see the flag before the value.
//
//   fencepost check examples/message-passing.cpp
//   fencepost check examples/message-passing.cpp -D RELAXED

#include <atomic>
#include <cassert>
#include <optional>
#include <thread>

#ifdef RELAXED
constexpr auto PUBLISH = std::memory_order_relaxed;
#else
constexpr auto PUBLISH = std::memory_order_release;
#endif

template <class T>
class Mailbox {
  T value{};
  std::atomic<bool> full{false};

public:
  void put(T next) {
    value = next;
    full.store(true, PUBLISH);
  }

  std::optional<T> get() {
    if (!full.load(std::memory_order_acquire)) return std::nullopt;
    return value;
  }
};

int main() {
  Mailbox<int> box;
  std::thread writer([&] { box.put(42); });
  if (auto value = box.get()) assert(*value == 42);
  writer.join();
}
