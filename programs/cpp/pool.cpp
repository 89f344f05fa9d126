// A pool whose workers take tasks from their own queue, and then from the other's. WEAK: the result of a task is counted
// without a release, and read by whoever sees the count.
#include <atomic>
#include <cassert>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#ifdef WEAK
constexpr auto DONE = std::memory_order_relaxed;
#else
constexpr auto DONE = std::memory_order_release;
#endif

class Pool {
  struct Worker {
    std::mutex lock;
    std::deque<std::function<void()>> tasks;
  };
  Worker workers[2];

  bool take(Worker &from, std::function<void()> &task) {
    std::lock_guard<std::mutex> held(from.lock);
    if (from.tasks.empty()) return false;
    task = std::move(from.tasks.front());
    from.tasks.pop_front();
    return true;
  }

public:
  std::atomic<int> done{0};

  void submit(int worker, std::function<void()> task) { workers[worker].tasks.push_back(std::move(task)); }

  void work(int own) {
    std::function<void()> task;
    while (take(workers[own], task) || take(workers[1 - own], task)) {
      task();
      done.fetch_add(1, DONE);
    }
  }
};

int main() {
  Pool pool;
  int result = 0;
  pool.submit(0, [&] { result = 42; });
  std::thread worker([&] { pool.work(1); });
  if (pool.done.load(std::memory_order_acquire) == 1) assert(result == 42);
  worker.join();
  return 0;
}
