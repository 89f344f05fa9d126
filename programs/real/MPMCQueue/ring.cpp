// MPMCQueue: two producers and a consumer; nothing comes out that was not put in, nor twice.
#include <rigtorp/MPMCQueue.h>

#include <cassert>
#include <thread>

int main() {
  rigtorp::MPMCQueue<int> queue(2);
  std::thread first([&] { queue.push(1); }), second([&] { queue.push(2); });
  int seen = 0;
  for (int tries = 0; tries < 2; tries++) {
    int value = 0;
    if (!queue.try_pop(value)) continue;
    assert(value == 1 || value == 2);
    assert(value != seen);
    seen = value;
  }
  first.join();
  second.join();
  return 0;
}
