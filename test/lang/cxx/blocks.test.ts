/**
 * C++ blocks that are re-entered: objects with destructors, temporaries, jumps and exceptions; and threads that outlive
 * a local variable.
 */
import { expect, it } from 'vitest';
import { check, verdict } from '../../support/c.ts';
import { compileCxx, entriesOf } from '../../support/cxx.ts';

const RIGHT: Readonly<Record<string, string>> = {
  leaving: `
    for (int i = 0; i < 3; i++) { Counted a(i); Counted b(a); assert(live == 2); if (i == 1) continue; assert(b.v == i); }
    for (int i = 0; i < 3; i++) { Counted a(i); { Counted b(i); if (i == 1) break; } assert(live == 1); }
    int n = 0; again: { Counted a(n); if (n++ < 2) goto again; assert(live == 1); } assert(live == 0);
    for (int i = 0; i < 2; i++) { Counted a[2] = {1, 2}; assert(live == 2 && a[1].v == 2); } assert(live == 0);`,
  temporaries: `
    int s = 0; for (int x : Range{Counted(4)}) s += x;
    for (int i = 0; i < 2; i++) {
      auto [a, b] = std::pair<Counted, int>(i, 7); const Counted &r = Counted(i); Counted k(9); const Counted &t = i ? k : Counted(i);
      assert(live == 4); s += a.v + b + r.v + t.v;
    }
    assert(s == 4 + 7 + 7 + 2 + 9 && live == 0);`,
  thrown: `
    int n = 0;
    for (int i = 0; i < 3; i++) {
      try { Counted a(i); if (i != 1) throw a; n++; } catch (const Counted &e) { n += e.v; } assert(live == 0);
    }
    assert(n == 3);`,
  joined: `
    for (int i = 0; i < 2; i++) { Counted x(i); std::thread t([&x] { x.v++; }); t.join(); assert(x.v == i + 1); } assert(live == 0);
    std::vector<std::thread> v; int r[2] = {}; for (int i = 0; i < 2; i++) v.emplace_back([&r, i] { r[i] = i + 1; });
    for (auto &t : v) t.join(); assert(r[0] == 1 && r[1] == 2);`,
};

const GONE = 'memory: access to a local variable that has gone out of scope';
const WRONG: Readonly<Record<string, readonly [code: string, says: string]>> = {
  captured: [
    `std::vector<std::thread> v; for (int i = 0; i < 2; i++) { int x = i; v.emplace_back([&x] { x++; }); } for (auto &t : v) t.join();`,
    GONE,
  ],
  detached: ['{ int x = 1; std::thread t([&x] { x++; }); t.detach(); }', GONE],
  nextRound: ['int *p = nullptr; for (int i = 0; i < 2; i++) { int x = i; if (p) assert(*p == 0); p = &x; }', GONE],
  fresh: [
    'int s = 0; for (int i = 0; i < 2; i++) { int x; int *p = &x; if (i == 0) *p = 1; s += *p; } assert(s >= 0);',
    'uninitialised: ',
  ],
  mutexGone: [
    'std::thread t; { std::mutex k; t = std::thread([&k] { k.lock(); k.unlock(); }); } t.join();',
    'misuse: use of a mutex that has been destroyed',
  ],
};

const SOURCE = `
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>
int live;
struct Counted { int v; Counted(int n) : v(n) { live++; } Counted(const Counted &o) : v(o.v) { live++; } ~Counted() { v = -1; live--; } };
struct Range { Counted c; const int *begin() const { return &c.v; } const int *end() const { return &c.v + 1; } };
${entriesOf(RIGHT, WRONG)}
int main() {}
`;

const SEARCH = { strategy: 'optimal', spin: true } as const;

it.each(Object.keys(RIGHT))('what is right is verified: %s', async (entry) => {
  const program = await compileCxx(SOURCE, { entry, uninitialised: true });
  for (const model of ['pso', 'rc11'] as const)
    expect([model, verdict(check(program, model, SEARCH))]).toEqual([model, 'verified']);
});

it.each(Object.entries(WRONG))('what is wrong is not: %s', async (entry, [, says]) => {
  expect(verdict(check(await compileCxx(SOURCE, { entry, uninitialised: true }), 'pso', SEARCH))).toContain(says);
});
