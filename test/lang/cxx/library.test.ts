/**
 * The C++ library: each function of one source is a program; clang runs once for all of them. Those of `RIGHT` are
 * right in every execution, those of `WRONG` have the given error.
 */
import { describe, expect, it } from 'vitest';
import type { Program } from '../../../src/program/ir.ts';
import { check, verdict } from '../../support/c.ts';
import { compileCxx, entriesOf } from '../../support/cxx.ts';
import { DEEP } from '../../support/tier.ts';

const RIGHT: Readonly<Record<string, string>> = {
  containers: `
    std::vector<int> v{3, 1, 2}; std::sort(v.begin(), v.end()); assert(v[0] == 1 && v[2] == 3);
    std::map<int, std::string> m; m[1] = "one"; m[2] = "a string that is too long to be stored in place";
    assert(m.size() == 2 && m[1] + "!" == "one!" && std::to_string(-42) == "-42");
    std::unordered_map<std::string, int> u; u["x"] = 4; assert(u.at("x") == 4);
    std::optional<int> o = 3; std::variant<int, double> w = 2.5; assert(*o == 3 && w.index() == 1);
    std::function<int(int)> f = [&](int x) { return x + *o; }; assert(f(2) == 5);`,
  printing: `
    std::cout << "n = " << 3 << ' ' << std::string("text") << std::endl; std::cerr << 2.5 << "\\n";`,
  objects: `
    std::unique_ptr<Base> b = std::make_unique<Derived>(5); assert(b->value() == 5);
    assert(dynamic_cast<Derived *>(b.get()) != nullptr && dynamic_cast<Other *>(b.get()) == nullptr);
    auto p = std::make_shared<int>(1); std::weak_ptr<int> w = p; assert(*w.lock() == 1); p.reset(); assert(w.expired());
    delete new int; delete[] new Derived[2]{1, 2}; delete new (std::nothrow) Aligned; assert(before == 7);`,
  guards: `
    std::thread t([] { assert(once() == 1); }); assert(once() == 1); t.join();`,
  threadLocal: `
    std::thread t([] { local.push_back(2); assert(local.size() == 2); }); local.push_back(3); t.join();
    assert(local.size() == 2 && local[1] == 3);`,
  locks: `
    std::mutex m; std::recursive_mutex r; std::timed_mutex z; std::shared_mutex s; int n = 0;
    std::thread t([&] { std::scoped_lock both(m, z); n++; });
    { std::scoped_lock both(z, m); n++; }
    { std::lock_guard a(r); std::lock_guard b(r); std::unique_lock c(m); assert(c.owns_lock()); }
    { std::shared_lock a(s); std::shared_lock b(s, std::try_to_lock); assert(b.owns_lock()); }
    t.join(); assert(n == 2);`,
  deferred: `
    std::mutex a, b; int n = 0;
    std::thread t([&] { std::unique_lock l(a, std::defer_lock), r(b, std::defer_lock); std::lock(l, r); n++; });
    { std::unique_lock l(b, std::defer_lock), r(a, std::defer_lock); std::lock(l, r); n++; }
    t.join(); assert(n == 2);`,
  conditions: `
    std::mutex m; std::condition_variable c; bool ready = false;
    std::thread t([&] { { std::lock_guard l(m); ready = true; } c.notify_one(); });
    std::unique_lock l(m); c.wait(l, [&] { return ready; }); l.unlock(); t.join();`,
  anyCondition: `
    std::mutex m; std::condition_variable_any c; bool ready = false;
    std::thread t([&] { { std::lock_guard l(m); ready = true; } c.notify_all(); });
    { std::unique_lock l(m); c.wait(l, [&] { return ready; }); } t.join();`,
  onces: `
    std::once_flag f; int n = 0; std::thread t([&] { std::call_once(f, [&] { n++; }); assert(n == 1); });
    std::call_once(f, [&] { n++; }); assert(n == 1); t.join();`,
  counting: `
    std::counting_semaphore<2> s(0); std::latch l(2); int x = 0;
    std::thread t([&] { x = 1; s.release(); l.arrive_and_wait(); });
    s.acquire(); assert(x == 1); l.arrive_and_wait(); t.join();`,
  barriers: `
    int x = 0, y = 0, phases = 0; auto done = [&]() noexcept { phases++; }; std::barrier b(2, done);
    std::thread t([&] { x = 1; b.arrive_and_wait(); assert(y == 1); });
    y = 1; b.arrive_and_wait(); assert(x == 1 && phases == 1); t.join();`,
  futures: `
    int plain = 0; std::promise<int> p; std::future<int> f = p.get_future();
    std::thread t([&] { plain = 1; p.set_value(5); }); assert(f.get() == 5 && plain == 1); t.join();
    auto a = std::async(std::launch::async, [](int x) { return x + 1; }, 2);
    auto d = std::async(std::launch::deferred, [] { return 4; }); assert(a.get() == 3 && d.get() == 4);
    std::packaged_task<int(int)> k([](int x) { return 2 * x; }); auto g = k.get_future(); k(4); assert(g.get() == 8);`,
  waiting: `
    std::atomic<int> a{0}; int x = 0; std::thread t([&] { x = 1; a.store(1, std::memory_order_release); a.notify_one(); });
    a.wait(0, std::memory_order_acquire); assert(x == 1); t.join();`,
  pingPong: `
    std::atomic<int> a{0}; std::thread t([&] { a.wait(0); a.store(2); a.notify_one(); });
    a.store(1); a.notify_one(); a.wait(1); assert(a == 2); t.join();`,
  twoNotifiers: `
    std::atomic<int> a{0}; auto add = [&] { a.fetch_add(1, std::memory_order_relaxed); a.notify_one(); };
    std::thread t(add); std::thread u(add); for (int v; (v = a.load()) != 2;) a.wait(v); t.join(); u.join();`,
  oneByOne: `
    std::atomic<int> a{0}; auto wait = [&] { a.wait(0); }; std::thread t(wait), u(wait);
    a.store(1); a.notify_one(); a.notify_one(); t.join(); u.join();`,
  passedOn: `
    std::atomic<int> a{0}; auto wait = [&] { a.wait(0); a.notify_one(); }; std::thread t(wait), u(wait);
    a.store(1); a.notify_one(); t.join(); u.join();`,
  oneEach: `
    std::atomic<int> a{0}, b{0}; std::thread t([&] { a.wait(0); }), u([&] { b.wait(0); });
    a.store(1); a.notify_one(); b.store(1); b.notify_one(); t.join(); u.join();`,
  notReplacedYet: `
    std::atomic<int> a{0}; std::thread t([&] { a.wait(0); }), u([&] { a.wait(1); });
    a.store(1); a.notify_one(); a.store(2); a.notify_one(); t.join(); u.join();`,
  otherWaits: `
    std::atomic_flag f; int n = 0;
    std::thread t([&] { f.test_and_set(); f.notify_all(); std::atomic_ref(n).store(1); std::atomic_ref(n).notify_one(); });
    f.wait(false); std::atomic_ref(n).wait(0); t.join();`,
  sharedWait: `
    std::atomic<std::shared_ptr<int>> p; std::atomic<std::weak_ptr<int>> w; std::atomic<double> d{0.5}; auto one = std::make_shared<int>(1);
    std::thread t([&] { p.store(one); p.notify_one(); w.store(one); w.notify_all(); d.store(1.5); d.notify_one(); });
    p.wait(nullptr); assert(*p.load() == 1); w.wait({}); d.wait(0.5); assert(d == 1.5); t.join();`,
  references: `
    int n = 0; std::thread t([&] { std::atomic_ref(n).fetch_add(1); }); std::atomic_ref(n).fetch_add(1); t.join();
    assert(n == 2);`,
  cleanup: `
    int n = 0; struct Guard { int &n; ~Guard() { n++; } };
    try { Guard g{n}; checked(1); } catch (const std::runtime_error &) { n = 7; } assert(n == 1);`,
  stopping: `
    int n = 0; { std::jthread t([&](std::stop_token s) { while (!s.stop_requested()) {} n = 1; }); } assert(n == 1);`,
};

/** Code and verdict. */
const WRONG: Readonly<Record<string, readonly [code: string, says: string]>> = {
  oneOfTwo: [
    `std::atomic<int> a{0}; auto wait = [&] { a.wait(0); }; std::thread t(wait), u(wait);
    a.store(1); a.notify_one(); t.join(); u.join();`,
    'deadlock: ',
  ],
  otherNotice: [
    `struct { std::atomic<bool> full{false}, empty{false}; } q; std::thread t([&] { q.full.wait(false); });
    q.full.store(true); q.empty.notify_all(); t.join();`,
    'deadlock: ',
  ],
  announced: [
    `std::atomic<int> v{0}, waiting{0};
    std::thread t([&] { waiting.store(1, std::memory_order_relaxed); v.wait(0, std::memory_order_relaxed); });
    v.store(1, std::memory_order_relaxed); std::atomic_thread_fence(std::memory_order_seq_cst);
    if (waiting.load(std::memory_order_relaxed)) v.notify_all(); t.join();`,
    'deadlock: ',
  ],
  oneForEach: [
    `std::atomic<int> a{0}; std::thread t([&] { a.wait(0); }), u([&] { a.wait(0); }), v([&] { a.wait(0); a.notify_one(); });
    a.store(1); a.notify_one(); t.join(); u.join(); v.join();`,
    'deadlock: ',
  ],
  freeOfNew: ['std::free(new int);', 'misuse: free of an object that came from new: use delete'],
  deleteOfArray: ['delete new int[2];', 'misuse: delete of an array that came from new[]: use delete[]'],
  arrayDelete: ['delete[] new int;', 'misuse: delete[] of an object that came from new: use delete'],
  deleteOfMalloc: ['delete (int *)std::malloc(4);', 'misuse: delete of an object that came from malloc: use free'],
  deleteOfAligned: [
    '::operator delete(::operator new(64, std::align_val_t(64)));',
    'misuse: delete with another alignment than new',
  ],
  deleteOfOtherAligned: [
    '::operator delete[](::operator new[](64, std::align_val_t(64)), std::align_val_t(32));',
    'misuse: delete with another alignment than new',
  ],
  deleteOfBase: [
    'Plain *p = new Larger; delete p;',
    'misuse: delete of an object by a pointer to a type of another size',
  ],
  deleteTwice: ['int *p = new int; delete p; delete p;', 'memory: double free'],
  joinable: ['std::thread t([] {});', 'misuse: std::terminate is called'],
  pure: ['Early e;', 'misuse: call of a pure virtual function'],
  pastEnd: ['std::vector<int> v(2); v.reserve(8); v[5] = 1;', 'misuse: vector[] index out of bounds'],
  noValue: ['std::optional<int> o; *o = 1;', 'misuse: optional operator* called on a disengaged value'],
  lateLock: ['auto *m = new std::mutex; m->lock(); delete m;', 'misuse: destruction of a mutex that is held'],
  lateEnd: ['before = 8;', 'assertion: before == 7'],
  raced: ['int n = 0; std::thread t([&] { n = 1; }); n = 2; t.join();', 'race: '],
  missingNotice: [
    'std::atomic<int> a{0}; std::thread t([&] { a.store(1); }); a.wait(0); t.join();',
    'deadlock: thread 0 waits for a notification that a has changed from 0',
  ],
  earlyNotice: [
    'std::atomic<int> a{0}; std::thread t([&] { a.notify_one(); a.store(1); }); a.wait(0); t.join();',
    'deadlock: thread 0 waits for a notification that a has changed from 0',
  ],
  missingSharedNotice: [
    `std::atomic<std::shared_ptr<int>> p; std::thread t([&] { p.store(std::make_shared<int>(1)); }); p.wait(nullptr); t.join();`,
    'deadlock: thread 0 waits for a notification that p has changed',
  ],
  relaxedNotice: [
    `std::atomic<int> a{0}; int x = 0; std::thread t([&] { x = 1; a.store(1, std::memory_order_relaxed); a.notify_one(); });
    a.wait(0, std::memory_order_relaxed); assert(x == 1); t.join();`,
    'race: ',
  ],
  mutexes: [
    'std::mutex a, b; std::thread t([&] { std::lock_guard x(a); std::lock_guard y(b); }); { std::lock_guard y(b); std::lock_guard x(a); } t.join();',
    'deadlock',
  ],
};

const SOURCE = `
#include <algorithm>
#include <atomic>
#include <barrier>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <future>
#include <iostream>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>
struct Base { virtual ~Base() = default; virtual int value() const = 0; };
struct Derived : Base { int n; Derived(int n) : n(n) {} int value() const override { return n; } };
struct Other : Base { int value() const override { return 0; } };
struct Plain { int n; };
struct Larger : Plain { long m; };
struct alignas(64) Aligned { int n; };
struct Middle { Middle() { call(); } void call() { value(); } virtual int value() = 0; };
struct Early : Middle { int value() override { return 1; } };
struct Global { Global(); ~Global(); };
int before;
Global::Global() { before = 7; }
Global::~Global() { assert(before == 7); before = 0; }
static Global global;
thread_local std::vector<int> local{1};
int checked(int n) { if (n > 2) throw std::runtime_error("too large"); return n; }
int once() { static int calls = 0; static int n = ++calls; return n; }
${entriesOf(RIGHT, WRONG)}
extern "C" void notFenced() {
  std::atomic<int> a{0}, x{0}, y{0}; int r, s;
  std::thread t([&] { x.store(1, std::memory_order_relaxed); a.notify_one(); r = y.load(std::memory_order_relaxed); });
  y.store(1, std::memory_order_relaxed); a.notify_one(); s = x.load(std::memory_order_relaxed); t.join(); assert(r || s);
}
extern "C" void notifying() {
  std::atomic<int> a{0}, done{0}; std::thread t([&] { a.wait(0); done.store(1); });
  a.store(1); while (!done.load()) a.notify_one(); t.join();
}
extern "C" void leaking() { std::thread t([] { new int(1); }); t.join(); delete new int; }
int main() {}
`;

const SEARCH = { strategy: 'optimal', spin: true } as const;

const compile = (entry: string): Promise<Program> => compileCxx(SOURCE, { entry, standard: 'c++20' });

describe('what is right', () => {
  // In the push tier all run under RC11, which has the most executions and sees races, and every third under PSO as
  // well.
  it.each(Object.keys(RIGHT))('is verified: %s', async (entry) => {
    const program = await compile(entry);
    const isBoth = DEEP || Object.keys(RIGHT).indexOf(entry) % 3 === 0;
    for (const model of isBoth ? (['pso', 'rc11'] as const) : (['rc11'] as const))
      expect([model, verdict(check(program, model, SEARCH))]).toEqual([model, 'verified']);
  });
});

describe('what is wrong', () => {
  it.each(Object.entries(WRONG))('has its error: %s', async (entry, [, says]) => {
    expect(verdict(check(await compile(entry), 'rc11', SEARCH))).toContain(says);
  });
});

it('a notification is no fence', async () => {
  const program = await compile('notFenced');
  for (const model of ['tso', 'pso', 'rc11'] as const)
    expect([model, verdict(check(program, model, SEARCH))]).toEqual([model, 'assertion: r || s']);
});

it('a loop that notifies until it is heard has no end of its own', async () => {
  const { bounds, errors } = check(await compile('notifying'), 'pso', { ...SEARCH, unroll: 3 });
  expect([errors, bounds]).toEqual([[], [expect.stringMatching(/^unroll: 3, the loop at /)]]);
});

it('an object that nobody deletes is a leak', async () => {
  const { warnings } = check(await compile('leaking'), 'sc', SEARCH);
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringMatching(/^leak: 4 bytes allocated at /)]);
});

it('operators that are not replaced call those that are', async () => {
  const source = `
#include <cassert>
#include <cstdlib>
#include <new>
int left;
void *operator new(std::size_t size) { left++; return std::malloc(size); }
void operator delete(void *object) noexcept { left--; std::free(object); }
int main() { delete new int; delete new (std::nothrow) int; assert(left == 0); delete[] new int[2]; }`;
  expect(verdict(check(await compileCxx(source), 'sc', SEARCH))).toBe('verified');
});
