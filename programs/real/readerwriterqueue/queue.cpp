// readerwriterqueue: one producer and one consumer, in order, across two blocks.
#include <readerwriterqueue.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::ReaderWriterQueue<int, 2> queue(1);
  std::thread producer([&] {
    for (int i = 1; i <= 2; i++) queue.enqueue(i);
  });
  int last = 0;
  for (int tries = 0; tries < 2; tries++) {
    int value = 0;
    if (!queue.try_dequeue(value)) continue;
    assert(value == last + 1);
    last = value;
  }
  producer.join();
  return 0;
}
