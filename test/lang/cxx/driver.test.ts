/** From C++ sources to programs: standards, names of files, what is refused and how. */
import { describe, expect, it } from 'vitest';
import { check, refusal, verdict } from '../../support/c.ts';
import { CXX, compileCxx } from '../../support/cxx.ts';
import { DEEP } from '../../support/tier.ts';

const PASSING = `
#include <atomic>
#include <cassert>
#include <thread>
template <class T> struct Box {
  T data{};
  std::atomic<bool> ready{false};
  void put(T v) { data = v; ready.store(true, ORDER); }
  bool get(T &out) { if (!ready.load(std::memory_order_acquire)) return false; out = data; return true; }
};
int main() {
  Box<int> box;
  std::thread t([&] { box.put(42); });
  int v = 0;
  while (!box.get(v)) {}
  assert(v == 42);
  t.join();
}
`;

/** The modelled headers, and headers that others include. */
const HEADERS = `
  algorithm any array atomic bit bitset chrono compare complex concepts condition_variable coroutine deque
  exception expected forward_list functional future initializer_list iostream ostream iterator latch
  limits list map memory memory_resource mutex new numeric optional queue random ratio
  scoped_allocator semaphore set shared_mutex span stack stdexcept stop_token string string_view
  system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility
  valarray variant vector version barrier cassert cctype cerrno cfloat climits cmath cstdarg cstddef
  cstdint cstdio cstdlib cstring ctime cinttypes format charconv numbers source_location ranges iosfwd`
  .trim()
  .split(/\s+/);

const SEARCH = { strategy: 'optimal', spin: true } as const;

describe('a program', () => {
  it('is right with its orders, by the oldest standard', async () => {
    const program = await compileCxx(
      { 'a.cc': PASSING },
      { files: ['a.cc'], defines: ['ORDER=std::memory_order_release'], standard: 'c++11' },
    );
    for (const model of ['sc', 'tso', 'pso', 'rc11'] as const) {
      const result = check(program, model, SEARCH);
      expect([model, verdict(result), result.executions]).toEqual([model, 'verified', 1]);
    }
  });

  it('has files in C, which the standard of the others is not for', async () => {
    const sources = {
      'a.cpp': '#include <version>\nextern "C" int f(void);\nint main() { return f() - (__cplusplus == 202002L); }\n',
      'b.c': 'int f(void) { _Static_assert(__STDC_VERSION__ == STANDARD, ""); int class = 1; return class; }\n',
    };
    const files = ['a.cpp', 'b.c'];
    const ofCxx = await compileCxx(sources, { files, standard: 'c++20', defines: ['STANDARD=201710L'] });
    expect(verdict(check(ofCxx, 'sc', SEARCH))).toBe('verified');
    const ofC = await compileCxx(sources, { files, standard: 'c11', defines: ['STANDARD=201112L'] });
    expect(ofC.functions.some(({ name }) => name === 'f')).toBe(true);
  });

  it('has large functions and wide strings, by an old standard', async () => {
    const source = `
#include <cassert>
#include <functional>
#include <string>
int main() {
  long a[4] = {1, 2, 3, 4};
  std::function<long()> f = [a] { return a[3]; };
  std::wstring w;
  assert(f() == 4 && w.empty());
}`;
    expect(verdict(check(await compileCxx(source, { standard: 'c++14' }), 'sc', SEARCH))).toBe('verified');
  });

  it('is wrong without them, by the newest', async () => {
    const program = await compileCxx(
      { 'a.C': PASSING },
      { files: ['a.C'], defines: ['ORDER=std::memory_order_relaxed'], standard: 'c++23' },
    );
    expect(verdict(check(program, 'tso', SEARCH))).toBe('verified');
    expect(verdict(check(program, 'pso', SEARCH))).toBe('assertion: v == 42');
    const [error] = check(program, 'rc11', SEARCH).errors;
    // The places are the user's, though the operations are in headers.
    expect(error?.error.message).toMatch(
      /^`this->data` is written in thread 0\.1 at \S*a\.C:8:24 and, unordered with it, read$/,
    );
  });
});

it('is called in reports as in the source', async () => {
  const program = await compileCxx(
    { 'a.cpp': PASSING },
    { files: ['a.cpp'], defines: ['ORDER=std::memory_order_release'] },
  );
  const titles = program.functions.filter(({ isLibrary }) => isLibrary !== true).map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(['Box<int>::put', 'Box<int>::get', 'main::lambda in line 13']));
  const source = 'namespace app { template <class T> struct S { static int n; }; template <class T> int S<T>::n; }\n';
  const { globals } = await compileCxx(`${source}int main() { static int m; return app::S<int>::n + m; }`);
  expect(globals.map(({ name }) => name)).toEqual(expect.arrayContaining(['app::S<int>::n', 'main::m']));
});

it('links what several files have in common, and C', async () => {
  const header =
    'struct Base { virtual int id() { return 1; } }; inline int next() { static int n = 40; return ++n; }\n';
  const sources = {
    'a.cpp': `${header}#include <assert.h>\nextern "C" int c(void); int b(Base &);
      int main() { Base base; assert(next() == 41 && b(base) == 43 && c() == 7); }`,
    'b.cpp': `${header}int b(Base &base) { return next() + base.id(); }`,
    'c.c': 'int c(void) { return 7; }',
  };
  expect(verdict(check(await compileCxx(sources), 'sc', SEARCH))).toBe('verified');
});

// The newest standard has them all; compiling them takes seconds.
it.each(DEEP ? ['gnu++17', 'c++23'] : ['c++23'])('has every header, in %s', async (standard) => {
  const text = `${HEADERS.map((name) => `#include <${name}>\n`).join('')}int main() {}\n`;
  expect(verdict(check(await compileCxx(text, { standard }), 'sc', SEARCH))).toBe('verified');
});

describe('refuses with file and line', () => {
  it('an error', async () => {
    const error = await refusal(
      { 'a.cpp': '#include <atomic>\nstd::atomic<int> x;\nint main() { return x.lod(); }\n' },
      CXX,
    );
    expect(error.message).toMatch(/a\.cpp:3:\d+: error: no member named 'lod'/);
  });

  it('a header that does not exist', async () => {
    const error = await refusal({ 'a.cpp': '#include <boost/atomic.hpp>\nint main() {}\n' }, CXX);
    expect(error.message).toContain("no boost/atomic.hpp; the only system headers are ours and libc++'s");
    expect(error.message).toContain("a.cpp:1:10: fatal error: 'boost/atomic.hpp' file not found");
  });

  it('a header for what is not modelled', async () => {
    const error = await refusal({ 'a.cpp': '#include <vector>\n#include <regex>\nint main() {}\n' }, CXX);
    expect(error.message).toMatch(/a\.cpp:2:\n.*regex:1:2: error: "<regex> is not modelled by fencepost"/);
  });

  it('a standard of C', async () => {
    const error = await refusal({ 'a.cpp': 'int main() {}' }, { ...CXX, standard: 'c11' });
    expect(error.message).toMatch(/a\.cpp: -std=c11 is a standard of C, not of C\+\+/);
  });

  it('a header as a program', async () => {
    const error = await refusal({ 'a.hpp': '' }, { files: ['a.hpp'] });
    expect(error.message).toMatch(/a header is not a program/);
  });
});
