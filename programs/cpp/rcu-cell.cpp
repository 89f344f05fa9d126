// A cell whose value is replaced as a whole; old values are freed when all readers have ended. WEAK: publishing is no release.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

#ifdef WEAK
constexpr auto PUBLISH = std::memory_order_relaxed;
#else
constexpr auto PUBLISH = std::memory_order_release;
#endif

struct Config {
  int width, height;
};

class Cell {
  std::atomic<const Config *> current;
  std::vector<std::unique_ptr<const Config>> all;

public:
  explicit Cell(Config first) : current(nullptr) { replace(first); }

  void replace(Config next) {
    all.push_back(std::make_unique<const Config>(next));
    current.store(all.back().get(), PUBLISH);
  }

  Config read() const { return *current.load(std::memory_order_acquire); }
};

int main() {
  Cell cell(Config{1, 1});
  std::thread writer([&] { cell.replace(Config{2, 2}); });
  Config config = cell.read();
  assert(config.width == config.height);
  writer.join();
  return 0;
}
