// Much of C++'s library that synchronises, or allocates, in one program: compiled and run by programs.test.ts.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#include <unistd.h>
struct S { virtual ~S() {} virtual int f() { return 1; } };
struct T : S { int f() override { return 2; } };
static std::once_flag once;
static int tries;
static void init() { if (tries++ == 0) throw std::runtime_error("first"); }
static std::map<int, std::string> &table() { static std::map<int, std::string> t{{1, "one"}}; return t; }
thread_local std::string mine = "x";
int main(int argc, char **argv) {
  std::shared_mutex sm; std::timed_mutex tm; std::recursive_mutex rm;
  std::map<int, int> m; std::atomic<int> left{8};
  std::atomic<std::shared_ptr<int> *> none{nullptr};
  std::vector<std::thread> ts;
  auto shared = std::make_shared<std::vector<int>>(100);
  for (int i = 0; i < 8; i++) ts.emplace_back([&, i, shared] {
    try { std::call_once(once, init); } catch (std::exception &) { std::call_once(once, init); }
    mine += std::to_string(i) + std::string(200, 'y');
    for (int k = 0; k < 50; k++) {
      { std::unique_lock l(sm); m[k] += i; }
      { std::shared_lock l(sm); assert(m.count(k)); }
      { std::lock_guard l(rm); std::lock_guard l2(rm); (*shared)[k]++; }
      if (tm.try_lock_for(std::chrono::milliseconds(1))) tm.unlock();
      assert(table()[1] == "one");
      std::unique_ptr<S> s(new T); assert(s->f() == 2);
    }
    left--;
  });
  for (auto &t : ts) t.join();
  auto f = std::async(std::launch::async, [] { return 42; });
  assert(f.get() == 42);
  std::promise<int> p; std::thread w([&] { p.set_value(7); }); assert(p.get_future().get() == 7); w.join();
  std::thread([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }).detach();
  __int128 big = 5; __int128 *bp = &big; __atomic_fetch_add(bp, 1, __ATOMIC_SEQ_CST); assert(big == 6);
  assert(tries == 2 && left == 0 && (*shared)[3] == 8);
  // two threads that wait for each other through pipes, each right after an access of the same line
  int a[2], b[2]; static volatile int line[2]; if (pipe(a) || pipe(b)) return 1;
  std::thread q([&] { char c; for (int i = 0; i < 200; i++) { line[0] = i; if (read(a[0], &c, 1) != 1) abort(); if (write(b[1], &c, 1) != 1) abort(); } });
  char c = 'x'; for (int i = 0; i < 200; i++) { line[1] = i; if (write(a[1], &c, 1) != 1) abort(); line[1] = i; if (read(b[0], &c, 1) != 1) abort(); }
  q.join();
  if (argc == 1) { std::string me = argv[0]; int r = std::system((me + " child").c_str()); assert(r == 0); }
  std::puts("fine");
}
