// ThreadPool: a worker and two tasks; each runs once, its future has its result, and the worker ends with the pool.
#include <ThreadPool.h>

#include <cassert>

int main() {
  int shared = 1;
  {
    ThreadPool pool(1);
    auto first = pool.enqueue([&] { return ++shared; });
    pool.enqueue([&] { shared += 10; });
    assert(first.get() == 2);
  }
  assert(shared == 12);
  return 0;
}
