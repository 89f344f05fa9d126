/**
 * Atomic pointers with owners and atomic floating-point numbers, results at the end of a thread, numbers from text; for
 * 64 and 32 bits.
 */
import { describe, expect, it } from 'vitest';
import type { Program } from '../../../src/program/ir.ts';
import { check, verdict } from '../../support/c.ts';
import { compileCxx, entriesOf } from '../../support/cxx.ts';
import { DEEP } from '../../support/tier.ts';

const RIGHT: Readonly<Record<string, string>> = {
  published: `
    std::atomic<std::shared_ptr<Counted>> a(std::make_shared<Counted>(1));
    std::thread t([&] { a.store(std::make_shared<Counted>(2), std::memory_order_release); });
    { auto p = a.load(std::memory_order_acquire); assert(p->n == 1 || p->n == 2); }
    t.join(); assert(a.load()->n == 2); assert(Counted::live == 1); a = nullptr; assert(!a.load() && Counted::live == 0);`,
  exchanged: `
    { std::atomic<std::shared_ptr<Counted>> a;
      auto add = [&] {
        std::shared_ptr<Counted> old, next = std::make_shared<Counted>(1);
        if (!a.compare_exchange_strong(old, next)) { assert(old->n == 1); next->n = 2; assert(a.exchange(next) == old); }
      };
      std::thread t(add); add(); t.join(); assert(a.load()->n == 2); }
    assert(Counted::live == 0);`,
  awaited: `
    static std::atomic<std::shared_ptr<Counted>> a; std::thread t([&] { a = std::make_shared<Counted>(3); a.notify_all(); });
    a.wait(nullptr); assert(a.load()->n == 3); t.join();`,
  weak: `
    auto s = std::make_shared<Counted>(4); std::atomic<std::weak_ptr<Counted>> a;
    std::thread t([&] { a.store(s); }); if (auto p = a.load().lock()) assert(p == s); t.join(); assert(a.load().lock() == s);`,
  functions: `
    std::shared_ptr<Counted> a, none; std::thread t([&] { std::atomic_store(&a, std::make_shared<Counted>(3)); });
    if (auto p = std::atomic_load(&a)) assert(p->n == 3);
    t.join(); assert(!std::atomic_compare_exchange_strong(&a, &none, std::make_shared<Counted>(5)) && none == a);
    none.reset(); assert(std::atomic_exchange(&a, none)->n == 3); assert(Counted::live == 0);`,
  floating: `
    std::atomic<double> a{1.5}; std::thread t([&] { a.fetch_add(2.0); }); a -= 0.5; t.join(); assert(a == 3.0);
    std::atomic<float> f{1}; assert(f.fetch_sub(2) == 1.0f && f == -1.0f);`,
  late: `
    std::promise<int> p; auto f = p.get_future(); int ended = 0;
    std::thread t([&] { mine.place = &ended; p.set_value_at_thread_exit(4); }); assert(f.get() == 4 && ended == 1); t.join();`,
  lateException: `
    std::promise<int> p; auto f = p.get_future(); bool caught = false;
    std::thread t([&] { p.set_exception_at_thread_exit(std::make_exception_ptr(3)); });
    try { f.get(); } catch (int x) { caught = x == 3; } assert(caught); t.join();`,
  lateTask: `
    std::packaged_task<int()> k([] { return 5; }); auto f = k.get_future();
    std::thread t([&] { k.make_ready_at_thread_exit(); }); assert(f.get() == 5); t.join();`,
  lateNotice: `
    std::mutex m; std::condition_variable c; bool ready = false;
    std::thread t([&] { std::unique_lock l(m); ready = true; std::notify_all_at_thread_exit(c, std::move(l)); });
    { std::unique_lock l(m); c.wait(l, [&] { return ready; }); } t.join();`,
  keyAfterLocal: `
    int ended = 0;
    std::thread t([&] { mine.place = &ended; pthread_key_t k; pthread_key_create(&k, nullptr); }); t.join(); assert(ended == 1);`,
  numbers: `
    std::size_t at; assert(std::stoi("42x", &at) == 42 && at == 2 && std::stol(" -7") == -7 && std::stoull("ff", nullptr, 16) == 255);
    assert(std::stod("2.5") == 2.5 && std::stof("1e1") == 10.0f);
    auto fails = [](auto call) { try { call(); } catch (const std::invalid_argument &) { return 1; } catch (const std::out_of_range &) { return 2; } return 0; };
    assert(fails([] { return std::stoi("x"); }) == 1 && fails([] { return std::stoi("3000000000"); }) == 2);
    assert(fails([] { return std::stod("1e999"); }) == 2);`,
  complex: `
    std::complex<double> z(1, 2); z *= std::complex<double>(0, 1); assert(z == std::complex<double>(-2, 1) && std::norm(z) == 5.0);
    assert(z / z == 1.0 && std::abs(std::complex<float>(3, 4)) == 5.0f && std::sqrt(std::complex<double>(-4)).imag() == 2.0);`,
};

/** Under RC11, with what the verdict says. */
const WRONG: Readonly<Record<string, readonly [code: string, says: string]>> = {
  relaxed: [
    `std::atomic<std::shared_ptr<Counted>> a; std::thread t([&] { a.store(std::make_shared<Counted>(3), std::memory_order_relaxed); });
    if (auto p = a.load(std::memory_order_acquire)) assert(p->n == 3); t.join();`,
    'race: ',
  ],
  relaxedLoad: [
    `std::atomic<std::shared_ptr<Counted>> a; std::thread t([&] { a.store(std::make_shared<Counted>(3)); });
    if (auto p = a.load(std::memory_order_relaxed)) assert(p->n == 3); t.join();`,
    'race: ',
  ],
  /** A load does not order what precedes it. */
  unordered: [
    `std::atomic<std::shared_ptr<int>> a; int x = 0; std::thread t([&] { x = 1; (void)a.load(); });
    a.store(std::make_shared<int>(1)); x = 2; t.join();`,
    'race: ',
  ],
  weakFunctions: [
    'std::shared_ptr<int> a; (void)std::atomic_load_explicit(&a, std::memory_order_relaxed);',
    'inconclusive',
  ],
};

const SOURCE = `
#include <atomic>
#include <cassert>
#include <complex>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <thread>
struct Counted { static inline std::atomic<int> live{0}; int n; Counted(int n) : n(n) { live++; } ~Counted() { n = -1; live--; } };
struct Mine { int *place = nullptr; ~Mine() { if (place) ++*place; } };
thread_local Mine mine;
${entriesOf(RIGHT, WRONG)}
int main() {}
`;

const SEARCH = { strategy: 'optimal', spin: true } as const;

/** The programs that depend on the size of a pointer or a long. */
const NARROW: readonly string[] = ['published', 'functions', 'late', 'numbers', 'relaxed'];

describe.each(['x86_64', 'i686'] as const)('atomic pointers and numbers for %s', (target) => {
  const compile = (entry: string): Promise<Program> => compileCxx(SOURCE, { entry, standard: 'c++20', target });
  const isAsked = ([name]: readonly [string, unknown]): boolean => target === 'x86_64' || NARROW.includes(name);

  // In the push tier all run under RC11, which has the most executions and sees races, and every third under PSO as
  // well.
  it.each(Object.entries(RIGHT).filter(isAsked))('are verified: %s', async (entry) => {
    const program = await compile(entry);
    const isBoth = DEEP || Object.keys(RIGHT).indexOf(entry) % 3 === 0;
    for (const model of isBoth ? (['pso', 'rc11'] as const) : (['rc11'] as const))
      expect([model, verdict(check(program, model, SEARCH))]).toEqual([model, 'verified']);
  });

  it.each(Object.entries(WRONG).filter(isAsked))('have their error: %s', async (entry, [, says]) => {
    expect(verdict(check(await compile(entry), 'rc11', SEARCH))).toContain(says);
  });
});
