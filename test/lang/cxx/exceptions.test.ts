/**
 * Exceptions: each function of one source is a program; clang runs once for all of them. Those of `RIGHT` are right in
 * every execution, those of `WRONG` have the given error.
 */
import { describe, expect, it } from 'vitest';
import type { Program } from '../../../src/program/ir.ts';
import { check, verdict } from '../../support/c.ts';
import { compileCxx, entriesOf } from '../../support/cxx.ts';
import { DEEP } from '../../support/tier.ts';

const RIGHT: Readonly<Record<string, string>> = {
  byValue: `int n = 0; try { throw 5; n = 9; } catch (int i) { n = i; } assert(n == 5);`,
  byBase: `int n = 0; try { throw Derived(7); } catch (const Other &) { n = 1; } catch (const Base &b) { n = b.id(); } assert(n == 7);`,
  bySecondBase: `int n = 0; try { throw Both(); } catch (const Second &s) { n = s.second; } assert(n == 2);`,
  byVirtualBase: `int n = 0; try { throw Diamond(); } catch (const Root &r) { n = r.root; } assert(n == 9);`,
  notByPrivateBase: `int n = 0; try { throw Hidden(); } catch (const Second &) { n = 1; } catch (const Hidden &) { n = 2; } assert(n == 2);`,
  byPointer: `
    Both both; int n = 0;
    try { throw &both; } catch (Second *s) { n = s->second; } assert(n == 2);
    try { throw &both; } catch (const void *) { n = 3; } assert(n == 3);
    try { throw &n; } catch (const int *p) { n = p == &n ? 4 : 5; } assert(n == 4);
    try { throw (const int *)&n; } catch (int *) { n = 6; } catch (const int *) { n = 7; } assert(n == 7);
    try { throw nullptr; } catch (Base *b) { n = b == nullptr ? 8 : 9; } assert(n == 8);`,
  byPointerReference: `
    int v = 7; Both both; int n = 0; const int *const *p = nullptr; int *q = &v;
    try { throw &v; } catch (int *&r) { assert(r == &v && *r == 7); r = nullptr; n = 1; } assert(n == 1);
    try { throw "text"; } catch (const char *const &s) { assert(s[0] == 't'); n = 2; } assert(n == 2);
    try { throw &both; } catch (Both *&r) { assert(r == &both); n = 3; } assert(n == 3);
    try { throw &both; } catch (Second *const &r) { assert(r->second == 2); n = 4; } assert(n == 4);
    try { try { throw &v; } catch (int *&r) { r++; throw; } } catch (int *const &r) { assert(r == &v + 1); n = 5; } assert(n == 5);
    std::exception_ptr e = std::make_exception_ptr(&v);
    try { std::rethrow_exception(e); }
    catch (int *const &r) { try { std::rethrow_exception(e); } catch (int *const &s) { assert(r == &v && s == &v); n = 6; } } assert(n == 6);
    try { throw &q; } catch (const int **) { n = 7; } catch (const int *const *r) { p = r; n = 8; } assert(n == 8 && p == &q);`,
  sameWhileLeaving: `
    std::exception_ptr e = std::make_exception_ptr(4); int n = 0;
    struct Careful { std::exception_ptr e; int &n; ~Careful() { try { std::rethrow_exception(e); } catch (const int &i) { n += i; } } };
    try { Careful c{e, n}; std::rethrow_exception(e); } catch (int &i) { n += 10 * i; } assert(n == 44 && std::uncaught_exceptions() == 0);`,
  byFunction: `
    int n = 0; void (*plain)() = [] {}; void (*silent)() noexcept = quiet;
    try { throw plain; } catch (void *) { n = 1; } catch (void (*f)()) { n = 2; } assert(n == 2);
    try { throw silent; } catch (const void *) { n = 3; } catch (void (*f)()) { n = f == quiet ? 4 : 5; } assert(n == 4);
    try { throw plain; } catch (void (*)() noexcept) { n = 6; } catch (void (*)()) { n = 7; } assert(n == 7);`,
  byMember: `
    int n = 0;
    try { throw nullptr; } catch (int Second::*m) { n = m == nullptr ? 1 : 2; } assert(n == 1);
    try { throw nullptr; } catch (int (Base::*m)() const) { n = m == nullptr ? 3 : 4; } assert(n == 3);
    try { throw &Second::second; } catch (int Root::*) { n = 5; } catch (const int Second::*m) { n = m == &Second::second ? 6 : 7; } assert(n == 6);
    try { throw (const int Second::*)nullptr; } catch (int Second::*) { n = 8; } catch (const int Second::*) { n = 9; } assert(n == 9);`,
  fundamental: `
    int n = 0;
    try { throw (__int128)5 << 70; } catch (unsigned __int128) { n = 1; } catch (__int128 i) { n = i >> 70; } assert(n == 5);
    try { throw (unsigned __int128)1; } catch (__int128) { n = 1; } catch (unsigned __int128) { n = 2; } assert(n == 2);
    try { throw u8'a'; } catch (unsigned char) { n = 1; } catch (char8_t c) { n = c; } assert(n == 'a');
    try { throw u'b'; } catch (unsigned short) { n = 1; } catch (char16_t c) { n = c; } assert(n == 'b');
    try { throw U'c'; } catch (unsigned) { n = 1; } catch (char32_t c) { n = c; } assert(n == 'c');
    try { throw U"d"; } catch (const unsigned *) { n = 1; } catch (const char32_t *c) { n = *c; } assert(n == 'd');
    bool is = false; try { throw &is; } catch (const bool *b) { n = b == &is; } assert(n == 1);
    try { throw 1.5f; } catch (double) { n = 2; } catch (float) { n = 3; } assert(n == 3);`,
  everything: `int n = 0; try { throw Derived(1); } catch (int) { n = 1; } catch (...) { n = 2; } assert(n == 2);`,
  unwinding: `
    int n = 0; try { Guard a(n, 1); Guard b(n, 2); deep(3, n); n = -1; } catch (int) {}
    assert(n == 30333321);`,
  again: `
    int n = 0;
    try { try { throw Derived(3); } catch (Base &b) { b.change(4); throw; } } catch (Derived &d) { n = d.id(); }
    assert(n == 4 && std::uncaught_exceptions() == 0);`,
  nested: `
    int n = 0;
    try { throw 1; } catch (int i) { try { throw 2; } catch (int j) { n = 10 * i + j; } n = 10 * n + i; }
    assert(n == 121);`,
  inDestructor: `
    int n = 0; struct Careful { int &n; ~Careful() { try { throw 2; } catch (int i) { n += i + 10 * std::uncaught_exceptions(); } } };
    try { Careful c{n}; throw 1; } catch (int i) { n += 100 * i; } assert(n == 112);`,
  inConstructor: `
    int n = 0; try { Parts parts(n, true); n = -1; } catch (int) { n += 100; } assert(n == 101);
    try { delete new Parts(n, true); } catch (int) { n += 1000; } assert(n == 1102);`,
  functionTry: `int n = 0; try { Tried t(n); } catch (int i) { n += i; } assert(n == 15);`,
  standard: `
    std::string text;
    try { (void)std::vector<int>().at(1); } catch (const std::out_of_range &e) { text = e.what(); } assert(text == "vector");
    std::string made = "made " + text;
    try { throw std::runtime_error(made); } catch (const std::logic_error &) {} catch (const std::exception &e) { text = e.what(); }
    assert(text == "made vector");
    std::invalid_argument copy("a"); copy = std::invalid_argument(made.c_str()); made = ""; assert(copy.what() == std::string("made vector"));
    try { (void)std::optional<int>().value(); } catch (const std::bad_optional_access &) { text = "o"; } assert(text == "o");
    try { (void)std::get<int>(std::variant<int, char>('c')); } catch (const std::bad_variant_access &) { text = "v"; } assert(text == "v");
    try { std::function<void()>()(); } catch (const std::bad_function_call &) { text = "f"; } assert(text == "f");
    try { std::shared_ptr<int> p{std::weak_ptr<int>()}; } catch (const std::bad_weak_ptr &) { text = "w"; } assert(text == "w");
    try { throw std::system_error(std::make_error_code(std::errc::invalid_argument), "s"); }
    catch (const std::system_error &e) { assert(e.code() == std::errc::invalid_argument); text = "s"; } assert(text == "s");`,
  badCast: `
    int n = 0; Other o; Base &b = o;
    try { dynamic_cast<Derived &>(b).id(); } catch (const std::bad_cast &) { n = 1; } assert(n == 1);`,
  pointers: `
    std::exception_ptr p; assert(!p && !std::current_exception());
    try { throw Derived(5); } catch (...) { p = std::current_exception(); assert(p == std::current_exception()); }
    int n = 0; std::exception_ptr q = p; p = nullptr;
    try { std::rethrow_exception(q); } catch (Base &b) { n = b.id(); } assert(n == 5);
    try { std::rethrow_exception(std::make_exception_ptr(6)); } catch (int i) { n = i; } assert(n == 6);`,
  nestedPointer: `
    int n = 0;
    try { try { throw 3; } catch (...) { std::throw_with_nested(std::runtime_error("outer")); } }
    catch (const std::exception &e) { try { std::rethrow_if_nested(e); } catch (int i) { n = i; } } assert(n == 3);`,
  otherThread: `
    std::exception_ptr p; std::thread t([&] { try { throw Derived(5); } catch (...) { p = std::current_exception(); } });
    t.join(); int n = 0; try { std::rethrow_exception(p); } catch (Base &b) { n = b.id(); } assert(n == 5);`,
  sharedByThreads: `
    std::exception_ptr p = std::make_exception_ptr(Derived(5));
    auto use = [](std::exception_ptr q) { try { std::rethrow_exception(q); } catch (const Base &b) { assert(b.id() == 5); } };
    std::thread t(use, p), u(use, p); p = nullptr; t.join(); u.join();`,
  promised: `
    std::promise<int> p; auto f = p.get_future(); int n = 0;
    std::thread t([&] { p.set_exception(std::make_exception_ptr(4)); });
    try { f.get(); } catch (int i) { n = i; } t.join(); assert(n == 4);`,
  asynchronous: `
    auto f = std::async(std::launch::async, [](int i) -> int { if (i > 1) throw Derived(i); return 0; }, 3); int n = 0;
    try { f.get(); } catch (const Base &b) { n = b.id(); } assert(n == 3);
    auto g = std::async(std::launch::deferred, []() -> int { throw 8; }); try { g.get(); } catch (int i) { n = i; } assert(n == 8);`,
  packaged: `
    std::packaged_task<int(int)> k([](int x) -> int { throw x; }); auto f = k.get_future(); k(6); int n = 0;
    try { f.get(); } catch (int i) { n = i; } assert(n == 6);
    try { k(1); } catch (const std::future_error &e) { n = e.code() == std::future_errc::promise_already_satisfied; } assert(n == 1);`,
  moveOnly: `
    auto f = std::async(std::launch::async, [](std::unique_ptr<int> p) { return *p; }, std::make_unique<int>(4));
    std::packaged_task<int()> k([p = std::make_unique<int>(5)] { return *p; }); auto g = k.get_future(); k();
    assert(f.get() == 4 && g.get() == 5);`,
  broken: `
    std::future<int> f; { std::promise<int> p; f = p.get_future(); } int n = 0;
    try { f.get(); } catch (const std::future_error &e) { n = e.code() == std::future_errc::broken_promise; } assert(n == 1);`,
  twice: `
    std::promise<int> p; p.set_value(1); int n = 0;
    try { p.set_value(2); } catch (const std::future_error &) { n = 1; } assert(n == 1);`,
  notJoinable: `
    std::thread t; int n = 0; try { t.join(); } catch (const std::system_error &e) { n = e.code() == std::errc::invalid_argument; }
    assert(n == 1);`,
  once: `
    std::once_flag f; int n = 0; auto call = [&] { try { std::call_once(f, [&] { if (n++ == 0) throw 1; }); } catch (int) {} };
    std::thread t(call); call(); t.join(); call(); assert(n == 2);`,
  staticVariable: `
    static int calls; struct Late { Late() { if (calls++ == 0) throw 1; } }; auto get = [] { static Late late; };
    int n = 0; try { get(); } catch (int) { n = 1; } get(); get(); assert(n == 1 && calls == 2);`,
  locked: `
    std::mutex m; int n = 0; auto add = [&] { try { std::lock_guard<std::mutex> l(m); n++; throw 1; } catch (int) {} };
    std::thread t(add); add(); t.join(); assert(n == 2);`,
  inLoop: `int n = 0; for (int i = 0; i < 3; i++) { try { if (i == 1) throw i; n += 10; } catch (int j) { n += j; continue; } } assert(n == 21);`,
  sorting: `
    int a[3] = {3, 2, 1}; int n = 0;
    try { std::qsort(a, 3, sizeof *a, [](const void *, const void *) -> int { throw 4; }); } catch (int i) { n = i; } assert(n == 4);`,
  results: `int n = 0; try { n = pair(false).second; n += pair(true).second; } catch (int) { n += 10; } assert(n == 12);`,
  spinning: `
    std::atomic<int> x{0}; std::thread t([&] { x = 1; });
    try { while (checked(x.load()) == 0) {} } catch (int) { assert(false); } t.join();`,
};

/** Code and verdict. */
const WRONG: Readonly<Record<string, readonly [code: string, says: string | RegExp]>> = {
  uncaught: ['throw Derived(1);', /^misuse: the Derived thrown at \S*test\.cpp:\d+:\d+ is never caught$/],
  uncaughtByType: ['try { throw 1; } catch (long) {}', /^misuse: the int thrown at \S+ is never caught$/],
  leavesThread: ['std::thread t([] { throw 1; }); t.join();', /^misuse: the int thrown at \S+ is never caught$/],
  leavesNoexcept: [
    'try { quiet(); quietly(); } catch (...) {}',
    /^misuse: the int thrown at \S*test\.cpp:\d+:\d+ is never caught$/,
  ],
  leavesInner: [
    'try { outer(); } catch (...) {}',
    /^misuse: the int thrown at \S*test\.cpp:\d+:\d+ leaves a function that is noexcept$/,
  ],
  throwingDestructor: [
    'struct Bad { ~Bad() { throw 2; } }; try { Bad b; } catch (...) {}',
    /^misuse: the int thrown at \S+ is never caught$/,
  ],
  header: ['std::vector<int> v; (void)v.at(2);', /^misuse: the std::out_of_range is never caught$/],
  nothingToThrow: ['try { throw; } catch (...) {}', 'misuse: throw without an operand, while no exception is handled'],
  late: ['int *p; try { throw 5; } catch (int &i) { p = &i; } *p = 1;', 'memory: '],
  cleaned: ['int n = 0; try { Guard g(n, 1); throw 1; } catch (int) {} assert(n == 0);', 'assertion: n == 0'],
  racing: [
    'std::exception_ptr p; std::thread t([&] { p = std::make_exception_ptr(1); }); if (p) std::abort(); t.join();',
    'race: ',
  ],
  lockHeld: [
    'std::mutex m; try { m.lock(); throw 1; } catch (int) {} std::thread t([&] { m.lock(); }); t.join();',
    'deadlock',
  ],
};

const SOURCE = `
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>
struct Base { int n; explicit Base(int n = 0) : n(n) {} virtual ~Base() = default; virtual int id() const { return n; } void change(int m) { n = m; } };
struct Derived : Base { using Base::Base; };
struct Other : Base {};
struct First { int first = 1; };
struct Second { int second = 2; };
struct Both : First, Second { int both = 3; };
struct Hidden : First, private Second {};
struct Root { int root = 9; };
struct Left : virtual Root { int left = 1; };
struct Right : virtual Root { int right = 1; };
struct Diamond : Left, Right {};
struct Guard { int &n; int digit; Guard(int &n, int digit) : n(n), digit(digit) {} ~Guard() { n = 10 * n + digit; } };
void deep(int depth, int &n) { Guard g(n, 3); if (depth == 0) { n = 30; throw 1; } deep(depth - 1, n); n = -1; }
int quietly5() { throw 5; }
struct Part { int &n; explicit Part(int &n) : n(n) {} ~Part() { n++; } };
struct Parts { Part first; int bad; Parts(int &n, bool fails) : first(n), bad(fails ? throw 1 : 0) {} };
struct Tried { int n; Tried(int &m) try : n(quietly5()) {} catch (int) { m = 10; } };
int quietly() { throw 1; }
void quiet() noexcept { quietly(); }
void outer() { quiet(); quietly(); }
struct Pair { long first, second; };
Pair pair(bool fails) { if (fails) throw 1; return {1, 2}; }
int checked(int n) { if (n > 2) throw n; return n; }
${entriesOf(RIGHT, WRONG)}
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
    for (const model of isBoth ? (['pso', 'rc11'] as const) : (['rc11'] as const)) {
      const result = check(program, model, SEARCH);
      expect([model, verdict(result), result.warnings]).toEqual([model, 'verified', []]);
    }
  });
});

describe('what is wrong', () => {
  it.each(Object.entries(WRONG))('has its error: %s', async (entry, [, says]) => {
    const found = verdict(check(await compile(entry), 'rc11', SEARCH));
    if (typeof says === 'string') expect(found).toContain(says);
    else expect(found).toMatch(says);
  });
});

it('an exception that nobody catches is an error at the place of the throw, before anything is left', async () => {
  const [error] = check(await compile('uncaught'), 'sc', SEARCH).errors;
  expect(JSON.stringify(error)).toContain('test.cpp');
});

it('costs nothing where nothing throws', async () => {
  const program = await compileCxx(
    'struct S { ~S() {} }; int f(int x) noexcept { S s; return x; } int main() { S s; return f(0); }',
  );
  expect(program.functions.map(({ name }) => name)).not.toContain('__fencepost_is_throwing');
  expect(program.globals.map(({ name }) => name)).not.toContain('__fencepost_pending');
});

it('is caught by an old standard, with a list of what may be thrown', async () => {
  const source = `
#include <cassert>
int f(int x) throw(int) { if (x == 1) throw 1; if (x == 2) throw 2L; return x; }
int main(int c, char **) { int n = 0; try { f(1); } catch (int i) { n = i; } assert(n == 1); try { f(c + 1); } catch (...) {} }`;
  expect(verdict(check(await compileCxx(source, { standard: 'c++14' }), 'sc', SEARCH))).toMatch(
    /^misuse: the long thrown at .* leaves a function that is noexcept$/,
  );
});

const UNWINDS = 'not modelled (pthread_exit or cancellation inside functions';

/** The contents of the frame that is left, how the thread ends, and the verdict. */
const EXITS: readonly (readonly [frame: string, how: string, says: string])[] = [
  ['S s;', 'pthread_exit(nullptr);', UNWINDS],
  ['S s;', 'leave();', UNWINDS],
  ['S s;', 'pthread_cancel(pthread_self()); pthread_testcancel();', UNWINDS],
  ['try { pthread_exit(nullptr); } catch (...) { throw; }', '', UNWINDS],
  ['', 'quiet();', UNWINDS],
  ['int n = 0;', 'leave();', 'verified'],
  ['{ S s; touch(); }', 'leave();', 'verified'],
  ['try { throw 1; } catch (...) {}', 'try { leave(); } catch (int) {}', 'verified'],
];

it.each(EXITS)('a thread ends, or there is no answer: %s %s', async (frame, how, says) => {
  const source = `
#include <pthread.h>
struct S { ~S() {} };
int n;
void touch() { n++; }
void leave() { pthread_exit(nullptr); }
void quiet() noexcept { leave(); }
void *f(void *) { ${frame} ${how} return nullptr; }
int main() { pthread_t t; pthread_create(&t, nullptr, f, nullptr); pthread_join(t, nullptr); }`;
  const result = check(await compileCxx(source), 'sc', SEARCH);
  expect(JSON.stringify(result.verdict)).toContain(says);
});

it('does not call an exception that leaves pthread_once uncaught', async () => {
  const source = `
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
void init() { throw 1; }
int main() { try { pthread_once(&once, init); } catch (int) {} }`;
  const result = check(await compileCxx(source), 'sc', SEARCH);
  expect(JSON.stringify(result.verdict)).toContain('an exception that leaves a function called by pthread_once');
});
