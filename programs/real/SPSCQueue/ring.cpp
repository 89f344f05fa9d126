// SPSCQueue: what one thread puts in, the other takes out, in order.
#include <rigtorp/SPSCQueue.h>

#include <cassert>
#include <thread>

int main() {
  rigtorp::SPSCQueue<int> queue(2);
  std::thread producer([&] {
    for (int i = 1; i <= 3; i++)
      if (!queue.try_push(i)) break;
  });
  int last = 0;
  for (int tries = 0; tries < 2; tries++) {
    int *value = queue.front();
    if (value == nullptr) continue;
    assert(*value == last + 1);
    last = *value;
    queue.pop();
  }
  producer.join();
  return 0;
}
